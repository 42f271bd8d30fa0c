import { blindTo } from './blind-to.ts';
import { pairDifferences, summarizeDifferences } from './differences.ts';
import { equivalenceTest, type EquivalenceOptions, type EquivalenceResult } from './equivalence.ts';
import { gaffkeBound } from './gaffke.ts';
import { withoutNoise } from './level.ts';
import { questionsNeeded, type Strength } from './strength.ts';

export interface EquivalenceRequest extends EquivalenceOptions {
  /** Default: usual. */
  readonly strength?: Strength | undefined;
}

/** Whether two systems are shown to differ by less than a margin, and what these questions cannot show. */
export interface ShownEquivalence extends EquivalenceResult {
  /** What decided: `usual` also for a measure without an upper bound. */
  readonly strength: Strength;
  /** The share of all questions on which everything could change without these showing it, at 95 %. */
  readonly blindTo: number;
  /** Fewer show nothing, unless every ranking is identical (usual) or differences make up for it (guaranteed). */
  readonly questionsNeeded: number | null;
  readonly isIdentical: boolean;
  /** The larger of Gaffke's two p, one for each side of the margin; `null` where the strength is usual. */
  readonly guaranteedP: number | null;
  readonly explanation: string;
}

/** Of `blindTo`, regardless of alpha, so that all values of `blindTo` are comparable. */
const blindConfidence = 0.95;

/**
 * `usual`: two one-sided t-tests on enough questions, or rankings that are all identical. `guaranteed`: Gaffke's bound
 * on both sides, which holds for every distribution within ±1. Throws as `equivalenceTest` does.
 */
export function showEquivalence(
  {
    baseline,
    candidate,
  }: { readonly baseline: readonly number[]; readonly candidate: readonly number[] },
  request: EquivalenceRequest,
  { isBounded, isIdentical }: { readonly isBounded: boolean; readonly isIdentical: boolean },
): ShownEquivalence {
  const { margin, alpha } = request;
  const differences = pairDifferences(baseline, candidate);
  const test = equivalenceTest(summarizeDifferences(differences), { margin, alpha });
  const strength = request.strength === 'guaranteed' && isBounded ? 'guaranteed' : 'usual';
  const bound = { margin, confidence: withoutNoise(1 - alpha) };
  const needed = questionsNeeded(strength, { ...bound, isBounded });
  const guaranteedP = strength === 'guaranteed' ? largerP(differences, bound) : null;
  const isEnough = needed !== null && differences.length >= needed;
  const equivalent =
    guaranteedP === null ? isIdentical || (isEnough && test.equivalent) : guaranteedP <= alpha;
  const found = {
    ...test,
    equivalent,
    strength,
    blindTo: blindTo(differences.length, blindConfidence),
    questionsNeeded: needed,
    isIdentical,
    guaranteedP,
  } as const;
  const isWeaker = request.strength === 'guaranteed' && strength === 'usual';
  return { ...found, explanation: explain(found, { questions: differences.length, isWeaker }) };
}

function largerP(
  differences: readonly number[],
  bound: { readonly margin: number; readonly confidence: number },
): number {
  const negated = differences.map((difference) => 0 - difference);
  return Math.max(gaffkeBound(differences, bound).p, gaffkeBound(negated, bound).p);
}

function explain(
  found: Omit<ShownEquivalence, 'explanation'>,
  { questions, isWeaker }: { readonly questions: number; readonly isWeaker: boolean },
): string {
  const { equivalent, margin, strength, isIdentical, questionsNeeded: needed } = found;
  const isShort = needed !== null && questions < needed;
  const needs =
    strength === 'usual'
      ? `too few questions: requires ${needed}, or identical rankings throughout`
      : `no method that holds for every distribution can show it below ${needed} questions of which none changed`;
  const reasons = [
    ...(isIdentical && strength === 'usual' ? ['every ranking is identical'] : []),
    ...(isShort && !equivalent ? [needs] : []),
    ...(isWeaker ? ['the measure has no upper bound, so nothing can be guaranteed'] : []),
  ];
  const verdict = `${equivalent ? 'Shown' : 'Not shown'} to differ by less than ${margin}`;
  const reason = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  const share = Number((100 * found.blindTo).toPrecision(2));
  return `${verdict}${reason}; with these ${questions} questions, a total change on up to ${share} % of questions would go unseen.`;
}
