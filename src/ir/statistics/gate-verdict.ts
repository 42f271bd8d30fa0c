import type { GaffkeBound } from './gaffke.ts';
import { levelOf } from './level.ts';
import type { NonInferiority } from './non-inferiority.ts';

/** From best to worst. */
export const gateVerdicts = ['pass', 'inconclusive', 'fail'] as const;
export type GateVerdict = (typeof gateVerdicts)[number];

/** What the verdict on one measure is read off. */
export interface DropEvidence extends Pick<
  NonInferiority,
  'questions' | 'lowerBound' | 'upperBound' | 'isTooFew'
> {
  /** Gaffke's, where the gate asks for a guarantee and the measure has bounds; then it decides `pass`. */
  readonly guarantee: Pick<GaffkeBound, 'p'> | null;
  /** Of the strength that decides; fewer cannot pass by their bounds. */
  readonly questionsNeeded: number | null;
  /** Every ranking is the baseline's, and there is one. */
  readonly isIdentical: boolean;
}

interface DropRules {
  readonly maxDrop: number;
  readonly confidence: number;
  /** One-sided p of the larger drop after adjustment; `null` outside the family. */
  readonly pAdjusted: number | null;
}

/**
 * `pass`: a larger drop is ruled out, by the lower bound and enough questions for it, by rankings that are all
 * identical, or by the guarantee. `fail`: the upper bound lies below −maxDrop and the test confirms it after
 * adjustment over the family. Else `inconclusive`. A gate passes only when each of its tests does, which needs no
 * adjustment (intersection-union test, Berger, Technometrics 24, 1982); it fails when any does, which needs one.
 */
export function judgeDrop(evidence: DropEvidence, rules: DropRules): GateVerdict {
  const { maxDrop, confidence, pAdjusted } = rules;
  if (isRuledOut(evidence, rules)) return 'pass';
  const { upperBound, isTooFew } = evidence;
  if (isTooFew || upperBound === null || upperBound >= -maxDrop) return 'inconclusive';
  return pAdjusted !== null && pAdjusted <= levelOf(confidence) ? 'fail' : 'inconclusive';
}

function isRuledOut(
  { guarantee, isIdentical, isTooFew, questions, questionsNeeded, lowerBound }: DropEvidence,
  { maxDrop, confidence }: DropRules,
): boolean {
  if (guarantee) return guarantee.p <= levelOf(confidence);
  if (isIdentical) return true;
  if (isTooFew || lowerBound === null) return false;
  return questions >= (questionsNeeded ?? Infinity) && lowerBound >= -maxDrop;
}

/** The worst of several verdicts; `inconclusive` for none, as nothing was shown. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict {
  if (verdicts.length === 0) return 'inconclusive';
  return gateVerdicts.findLast((verdict) => verdicts.includes(verdict)) ?? 'inconclusive';
}
