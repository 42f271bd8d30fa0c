import { AppError, type InputError } from '../../errors.ts';
import type { Contradiction, JudgmentCounts } from './merge-judgments.ts';
import { createPlacedIssues, type PlacedIssue } from '../catalog/placed-issues.ts';

/** What an import contradicts of the verdicts that judges posted. */
export interface VerdictConflicts {
  readonly total: number;
  /** The first of the body, as many as one answer names. */
  readonly errors: readonly InputError[];
}

export interface ConflictCollector {
  readonly add: (conflict: PlacedIssue) => void;
  readonly end: () => VerdictConflicts;
}

/** What an import would do. */
export interface ImportPreview extends JudgmentCounts {
  readonly name: string;
  readonly preview: true;
  /** Of the set afterwards. */
  readonly questions: number;
  /** Of the set afterwards. */
  readonly judgments: number;
  readonly conflicts: VerdictConflicts;
}

export function createConflicts(): ConflictCollector {
  const found = createPlacedIssues();
  return {
    add: found.add,
    end: () => ({ total: found.count(), errors: found.first() }),
  };
}

/** Says which verdict of which judge is contradicted, and by what. */
export function describeContradiction(questionId: string, { verdict, by }: Contradiction): string {
  const { documentId, grade, judge } = verdict;
  const said = `${judge} judged document '${documentId}' of question '${questionId}' with grade ${grade}`;
  if (by === 'answerable') return `${said}, but the file marks the question as not answerable`;
  if (by === 'forbidden') return `${said}, but the file forbids the document`;
  return `${said}, but the file says ${by.grade}`;
}

/** Throws `conflict` when the import contradicts a verdict. */
export function refuseConflicts({ total, errors }: VerdictConflicts): void {
  if (total === 0) return;
  const verdicts = total === 1 ? 'a judgment' : `${total} judgments`;
  const message = `The file contradicts ${verdicts} posted by judges, and nothing was stored; use ?judgments=merge to let the file win where grades differ, or ?judgments=replace to drop judgments that the file lacks`;
  throw new AppError('conflict', message, { details: { errors, total } });
}
