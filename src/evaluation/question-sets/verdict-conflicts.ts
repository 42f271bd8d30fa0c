import { AppError, type InputError } from '../../errors.ts';
import type { Contradiction, JudgmentCounts } from './merge-judgments.ts';
import { createPlacedFaults, type PlacedFault } from '../catalog/placed-faults.ts';

/** What an import contradicts of the verdicts that judges posted. */
export interface VerdictConflicts {
  readonly total: number;
  /** The first of the body, as many as one answer names. */
  readonly errors: readonly InputError[];
}

export interface ConflictCollector {
  readonly add: (conflict: PlacedFault) => void;
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
  const found = createPlacedFaults();
  return {
    add: found.add,
    end: () => ({ total: found.count(), errors: found.first() }),
  };
}

/** Says which verdict of which judge is contradicted, and by what. */
export function describeContradiction(questionId: string, { verdict, by }: Contradiction): string {
  const { documentId, grade, judge } = verdict;
  const said = `${judge} gave document '${documentId}' of question '${questionId}' the grade ${grade}`;
  if (by === 'answerable') return `${said}, and the file marks the question as not answerable`;
  if (by === 'forbidden') return `${said}, and the file forbids the document`;
  return `${said}, and the file says ${by.grade}`;
}

/** Throws `conflict` when the import contradicts a verdict. */
export function refuseConflicts({ total, errors }: VerdictConflicts): void {
  if (total === 0) return;
  const verdicts = total === 1 ? 'a verdict' : `${total} verdicts`;
  const message = `The file contradicts ${verdicts} of judges, and nothing was stored; ?judgments=merge lets the file win where grades differ, ?judgments=replace drops verdicts that the file lacks`;
  throw new AppError('conflict', message, { details: { errors, total } });
}
