import fc from 'fast-check';

/** What was seen in answers, to be asked for again. Each list keeps its latest entries. */
export interface KnownValues {
  readonly evaluations: string[];
  readonly cursors: string[];
  readonly entityTags: string[];
}

const kept = 40;

/** One name for a resource of every kind, so that a generated request often meets what is there. */
export const seedName = 'pumps';

/** Names that may be overwritten and deleted. */
export const disposableNames = ['a', 'b.c', 'hybrid', 'Z'] as const;

export function createKnownValues(): KnownValues {
  return { evaluations: [], cursors: [], entityTags: [] };
}

export function learn(list: string[], value: unknown): void {
  if (typeof value !== 'string' || list.includes(value)) return;
  list.push(value);
  if (list.length > kept) list.splice(0, list.length - kept);
}

/** One of the list as it is when the value is made. */
export function pickFrom(list: readonly string[], otherwise: string): fc.Arbitrary<string> {
  return fc.nat().map((index) => list[index % Math.max(list.length, 1)] ?? otherwise);
}

/** Values for strings that mean something by the name of their field. */
const byField: Readonly<Record<string, readonly string[]>> = {
  measure: ['nDCG@3', 'RR', 'judged@10', 'P(rel=2)@5', 'RBP(0.8)', 'ndcg@3', 'hit@10000'],
  measures: ['nDCG@3', 'RR', 'MAP', 'infAP', 'bpref', 'ERR@10', 'nope@3'],
  cron: ['15 2 * * *', '@daily', '0 0 30 2 *', '* * * * * *', '*/7 3-5 * 1 1'],
  timeZone: ['Europe/Berlin', 'UTC', 'Mars/Base', '+02:00'],
  url: ['https://hooks.example.com/x', 'http://127.0.0.1/', 'file:///etc/passwd', 'https://['],
  questionId: ['q1', 'q2', 'q3', 'q4', 'q9'],
  documentId: ['P1', 'P2', 'P3', 'P9'],
  id: ['q1', 'q2', 'P1', 'P2'],
  pattern: ['^(D\\d+)', '(a+)+$', '(', '(?<x>a)\\k<x>'],
  since: ['2026-11-30T00:00:00Z', '2026-11-30T23:59:60Z', '2026-11-30'],
  until: ['2999-01-01T00:00:00.000Z', '0000-01-01T00:00:00Z'],
  actor: ['jo', 'schedule/pumps'],
  cursor: ['MQ', 'cHVtcHM', '====', 'bnVsbA'],
};

export function textsOf(field: string, known: KnownValues): fc.Arbitrary<string> | undefined {
  if (field === 'evaluation' || field === 'evaluations') {
    return pickFrom(known.evaluations, 'none');
  }
  const texts = byField[field];
  const fixed = texts && fc.constantFrom(...texts);
  if (field !== 'cursor' || !fixed) return fixed;
  return fc.oneof(fixed, pickFrom(known.cursors, 'MQ'));
}
