import type { FixedGate } from '../storage/gates.ts';
import type { ConfigurationDecision, GateCheck } from './gate-decision.ts';

/** Says in a plain sentence what a gate found of one configuration, and why. */
export function explainDecision(
  gate: FixedGate,
  decision: Omit<ConfigurationDecision, 'detail'>,
): string {
  const { configuration, verdict, obstacles, checks } = decision;
  const deciding = checks.filter((check) => check.isCounted && check.verdict === verdict);
  const reasons = [
    ...obstacles.map(({ detail }) => detail),
    ...deciding.map((check) => explainCheck(check, gate.confidence)),
  ];
  return `${configuration} ${conclusions[verdict]}: ${someOf(reasons)}.`;
}

/** The answer has them all; a sentence is for reading. */
function someOf(reasons: readonly string[], most = 4): string {
  const more = reasons.length > most ? [`and ${reasons.length - most} more`] : [];
  return [...reasons.slice(0, most), ...more].join('; ');
}

const conclusions = {
  pass: 'passes',
  inconclusive: 'cannot be decided',
  fail: 'fails',
} as const satisfies Record<ConfigurationDecision['verdict'], string>;

function explainCheck(check: GateCheck, confidence: number): string {
  const { meanDifference, lowerBound, upperBound, maxDrop, isTooFew, questions } = check;
  const where = `${nameCheck(check)} over ${questions} questions`;
  if (meanDifference === null || lowerBound === null || upperBound === null || isTooFew) {
    return `${where} are too few for a confidence of ${toPercent(confidence)}`;
  }
  const range = `${toText(meanDifference)}, with ${toPercent(confidence)} confidence each not below ${toText(lowerBound)} and not above ${toText(upperBound)}`;
  const isUnconfirmed = check.verdict === 'inconclusive' && upperBound < -maxDrop;
  // The smaller a slice, the less a sentence can say of it; its notes are in the answer.
  const remarks = [
    ...(isUnconfirmed ? ['a larger drop is not confirmed among so many checks'] : []),
    ...(check.slice ? [] : check.notes),
  ];
  const remark = remarks.length > 0 ? ` (${remarks.join('; ')})` : '';
  return `${where} changed by ${range}; accepted is a drop of ${maxDrop}${remark}`;
}

/** A check by its measure and slice. */
export function nameCheck({ measure, slice }: Pick<GateCheck, 'measure' | 'slice'>): string {
  return slice ? `${measure} of ${slice.dimension} ${slice.value}` : measure;
}

function toText(value: number): string {
  return value.toFixed(4);
}

function toPercent(share: number): string {
  return `${Number((100 * share).toPrecision(6))} %`;
}
