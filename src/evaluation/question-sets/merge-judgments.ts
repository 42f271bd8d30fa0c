import type { Judgment, Question } from '../../model/question.ts';

/** What becomes of verdicts that judges posted when a file is imported. */
export const verdictModes = ['keep', 'merge', 'replace'] as const;
export type VerdictMode = (typeof verdictModes)[number];

/** Judgments that an import adds, gives another grade, leaves as they are, and removes. */
export interface JudgmentCounts {
  readonly added: number;
  readonly changed: number;
  readonly kept: number;
  readonly dropped: number;
}

export interface MergeRule {
  readonly mode: VerdictMode;
  /** Whether judgments that the file does not name stay, as for qrels; else only verdicts of judges do. */
  readonly isAddition: boolean;
}

export interface MergedQuestion {
  readonly question: Question;
  readonly counts: JudgmentCounts;
  /** Verdicts that the file contradicts, where the rule does not let the file win. */
  readonly contradicted: readonly Contradiction[];
}

export interface Contradiction {
  readonly verdict: Judgment;
  /** What the file has instead: another grade, or the question as it describes it. */
  readonly by: { readonly grade: number } | 'answerable' | 'forbidden';
}

/**
 * Whether a judge gave it. Stores from before files were noted have the one who imported as judge: such a
 * judgment counts as a verdict, since a verdict that is taken for a file's could be lost.
 */
export function isVerdict({ judge, fromFile }: Judgment): boolean {
  return judge !== null && fromFile !== true;
}

/** The question as the file has it, with the judgments that the rule keeps. Those of the file come first. */
export function mergeJudgments(
  old: Question | undefined,
  file: Question,
  { mode, isAddition }: MergeRule,
): MergedQuestion {
  const left = new Map(old?.judgments.map((judgment) => [judgment.documentId, judgment]));
  const counts = { added: 0, changed: 0, kept: 0, dropped: 0 };
  const contradicted: Contradiction[] = [];
  const judgments = file.judgments.map((judgment) => {
    const before = left.get(judgment.documentId);
    left.delete(judgment.documentId);
    if (before?.grade === judgment.grade) {
      counts.kept += 1;
      return before;
    }
    counts[before ? 'changed' : 'added'] += 1;
    if (before && mode === 'keep' && isVerdict(before)) {
      contradicted.push({ verdict: before, by: { grade: judgment.grade } });
    }
    return judgment;
  });
  for (const before of left.values()) {
    const by = findContradiction(file, before);
    const stays = mode !== 'replace' && (isAddition || isVerdict(before));
    if (stays && by && mode === 'keep') contradicted.push({ verdict: before, by });
    if (stays && !by) judgments.push(before);
    counts[stays && !by ? 'kept' : 'dropped'] += 1;
  }
  return { question: { ...file, judgments }, counts, contradicted };
}

export function addCounts(a: JudgmentCounts, b: JudgmentCounts): JudgmentCounts {
  return {
    added: a.added + b.added,
    changed: a.changed + b.changed,
    kept: a.kept + b.kept,
    dropped: a.dropped + b.dropped,
  };
}

/** What in the question's description rules a judgment out that the file does not name. */
function findContradiction(
  { answerable, forbidden }: Question,
  { documentId, grade }: Judgment,
): 'answerable' | 'forbidden' | undefined {
  if (grade <= 0) return undefined;
  if (!answerable) return 'answerable';
  return forbidden.includes(documentId) ? 'forbidden' : undefined;
}
