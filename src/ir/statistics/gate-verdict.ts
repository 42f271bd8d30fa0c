import { levelOf } from './level.ts';
import type { NonInferiority } from './non-inferiority.ts';

/** From best to worst. */
const gateVerdicts = ['pass', 'inconclusive', 'fail'] as const;
export type GateVerdict = (typeof gateVerdicts)[number];

/**
 * `pass`: the lower bound reaches −maxDrop. `fail`: the upper bound lies below it and the test confirms
 * it after adjustment over the family. Else, and with too few questions for either, `inconclusive`.
 * A gate passes only when each of its tests does, which needs no adjustment (intersection-union test,
 * Berger, Technometrics 24, 1982); it fails when any does, which needs one.
 */
export function judgeDrop(
  { lowerBound, upperBound, isTooFew }: NonInferiority,
  {
    maxDrop,
    confidence,
    pAdjusted,
  }: {
    readonly maxDrop: number;
    readonly confidence: number;
    readonly pAdjusted: number | null;
  },
): GateVerdict {
  if (isTooFew || lowerBound === null || upperBound === null) return 'inconclusive';
  if (lowerBound >= -maxDrop) return 'pass';
  const isConfirmed = pAdjusted !== null && pAdjusted <= levelOf(confidence);
  return upperBound < -maxDrop && isConfirmed ? 'fail' : 'inconclusive';
}

/** The worst of several verdicts; `inconclusive` for none, as nothing was shown. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict {
  if (verdicts.length === 0) return 'inconclusive';
  return gateVerdicts.findLast((verdict) => verdicts.includes(verdict)) ?? 'inconclusive';
}
