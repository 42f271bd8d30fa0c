import type { PairedComparison } from './paired-comparison.ts';
import { levelOf } from './level.ts';

interface ComparisonNames {
  readonly baseline: string;
  readonly candidate: string;
  readonly measure: string;
}

/** A comparison, in a family with its p adjusted. */
interface ExplainedComparison extends PairedComparison {
  readonly pAdjusted?: number | null | undefined;
}

/** Says in one plain sentence what a comparison found, for readers who know no statistics. */
export function explainComparison(comparison: ExplainedComparison, names: ComparisonNames): string {
  const { questions, ties, interval, meanDifference } = comparison;
  const { baseline, candidate, measure } = names;
  if (meanDifference === null) {
    return `There are no questions to compare ${candidate} with ${baseline} on ${measure}.`;
  }
  if (ties === questions) {
    return `${candidate} and ${baseline} score the same on ${measure} on ${everyQuestion(questions)}; ${unseen(comparison, 'change')}.`;
  }
  if (interval === null) {
    return `One question is too few to compare ${candidate} with ${baseline} on ${measure}: there the difference is ${toText(meanDifference)}.`;
  }
  return `${finding(comparison, meanDifference, names)} over ${questions} questions (${intervalText(interval)}), ${outcomes(comparison)}${conclusion(comparison)}.`;
}

function everyQuestion(questions: number): string {
  return questions === 1 ? 'the only question' : `all ${questions} questions`;
}

function finding(
  { verdict }: PairedComparison,
  meanDifference: number,
  { baseline, candidate, measure }: ComparisonNames,
): string {
  const size = toText(Math.abs(meanDifference));
  if (verdict === 'inconclusive') {
    return `${candidate} and ${baseline} cannot be told apart on ${measure}: ${candidate} is ${direction(meanDifference, size)} on average`;
  }
  const relation = verdict === 'better' ? 'beats' : 'falls behind';
  return `${candidate} ${relation} ${baseline} on ${measure} by ${size} on average`;
}

function direction(meanDifference: number, size: string): string {
  if (meanDifference === 0) return 'neither higher nor lower';
  return `${size} ${meanDifference > 0 ? 'higher' : 'lower'}`;
}

function intervalText({
  confidence,
  low,
  high,
}: {
  readonly confidence: number;
  readonly low: number;
  readonly high: number;
}): string {
  return `${Number((100 * confidence).toPrecision(6))} % interval ${toText(low)} to ${toText(high)}`;
}

function outcomes({ wins, losses, ties }: PairedComparison): string {
  return `better on ${wins}, worse on ${losses}, equal on ${ties}`;
}

function conclusion(comparison: ExplainedComparison): string {
  const { verdict, interval, tests, pAdjusted, minimumDetectableDifference } = comparison;
  const level = levelOf(interval?.confidence ?? 1);
  if (verdict === 'inconclusive') {
    const isAdjusted = tests.randomization.p <= level && (pAdjusted ?? 0) > level;
    const among = isAdjusted ? 'after correction for all comparisons, ' : '';
    return `; ${among}chance alone could explain this${detectable(minimumDetectableDifference)}`;
  }
  const unseenText = unseen(comparison, verdict === 'better' ? 'loss' : 'gain');
  const { p, pAdjusted: pOfFamily = p } = tests.guaranteed;
  if (pOfFamily !== null && pOfFamily <= level) {
    return `: chance alone is unlikely to explain this, although ${unseenText}`;
  }
  return `: chance alone is unlikely to explain this unless a rare large ${verdict === 'better' ? 'loss' : 'gain'} was missed, but ${unseenText}`;
}

/** What the drawn questions say nothing of. */
function unseen(
  { questions, blindTo }: Pick<PairedComparison, 'questions' | 'blindTo'>,
  change: 'change' | 'gain' | 'loss',
): string {
  const these = questions === 1 ? 'this one question' : `these ${questions} questions`;
  return `with ${these}, a total ${change} on up to ${toPercent(blindTo)} of questions would go unseen`;
}

function detectable(difference: number | null): string {
  if (difference === null) return '';
  return `, and this many questions reliably detect only a difference of about ${toText(difference)} or more`;
}

/** Three decimals, or two digits where three decimals would read as zero. */
function toText(value: number): string {
  return value !== 0 && Math.abs(value) < 0.0005 ? value.toPrecision(2) : value.toFixed(3);
}

/** Two digits, from one percent on none behind the point. */
function toPercent(share: number): string {
  const percent = 100 * share;
  return `${percent < 1 ? Number(percent.toPrecision(1)) : Math.round(percent)} %`;
}
