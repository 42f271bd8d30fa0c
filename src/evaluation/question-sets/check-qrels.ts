import { InvalidInputError, NotFoundError, type InputError } from '../../errors.ts';
import type { Judgment, Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { findStoredQuestions } from '../../storage/question-sets/questions.ts';
import {
  addCounts,
  mergeJudgments,
  type JudgmentCounts,
  type MergedQuestion,
  type VerdictMode,
} from './merge-judgments.ts';
import type { NextVersion } from './next-version.ts';
import {
  createPlacedIssues,
  type PlacedIssue,
  type PlacedIssues,
} from '../catalog/placed-issues.ts';
import type { StagedPair, StagedPairs, StagedQuestion } from '../catalog/stage-pairs.ts';
import {
  createConflicts,
  describeContradiction,
  type ConflictCollector,
  type VerdictConflicts,
} from './verdict-conflicts.ts';

/** Documents that may be judged for one question at most. */
export const maxJudgmentsPerQuestion = 10_000;

/** What qrels make of a set. */
export interface QrelsReview {
  /** The places of questions that are to be made. */
  readonly places: readonly number[];
  /** Pairs that are repeated with the same grade and count once. */
  readonly repeated: readonly string[];
  readonly counts: JudgmentCounts;
  readonly conflicts: VerdictConflicts;
  /** Of the set afterwards. */
  readonly questions: number;
  /** Of the set afterwards. */
  readonly judgments: number;
}

/**
 * Refuses qrels with a document twice or too many documents in one question, that contradict the questions, and those of
 * questions that do not exist, unless they are to be made.
 */
export async function checkQrels(
  db: Database,
  { latest, selection }: NextVersion,
  {
    staged,
    create,
    mode,
  }: { readonly staged: StagedPairs; readonly create: boolean; readonly mode: VerdictMode },
): Promise<QrelsReview> {
  const issues = { doubles: createPlacedIssues(), contradictions: createPlacedIssues() };
  const missing = createPlacedIssues();
  const conflicts = createConflicts();
  const places: number[] = [];
  const repeated: string[] = [];
  let counts: JudgmentCounts = { added: 0, changed: 0, kept: 0, dropped: 0 };
  for await (const batch of staged.read()) {
    const stored = latest
      ? await findStoredQuestions(db, { ...selection, version: latest.version }, [...batch.keys()])
      : new Map<string, never>();
    for (const [id, judged] of batch) {
      const locate = createLocator(id, staged.hasLines);
      findDoublesAndExcess({ issues: issues.doubles, repeated }, id, { judged, locate });
      const question = stored.get(id)?.question;
      const merged = mergePairs(question, judged, { id, mode });
      counts = addCounts(counts, merged.counts);
      findExcess(issues.doubles, merged.question, { judged, locate });
      findContradictedVerdicts(conflicts, merged, { judged, locate });
      if (question) findContradictions(issues.contradictions, question, { judged, locate });
      else {
        places.push(judged.place);
        const detail = `the question set has no question '${id}'`;
        missing.add({ ...locate(judged.place), detail });
      }
    }
  }
  refuseDoubles(issues.doubles.first());
  if (!create && !latest) {
    throw new NotFoundError('Question set', selection.questionSet, 'add ?create=true to create it');
  }
  if (!create) refuseMissing(missing);
  refuseContradictions(issues.contradictions.first());
  return {
    places,
    repeated,
    counts,
    conflicts: conflicts.end(),
    questions: (latest?.questions ?? 0) + places.length,
    judgments: (latest?.judgments ?? 0) + counts.added - counts.dropped,
  };
}

/** A question with the judgments that qrels give it; one that is not there has its id as text. */
export function mergePairs(
  old: Question | undefined,
  { pairs }: StagedQuestion,
  { id, mode, by }: PairsRule,
): MergedQuestion {
  const grades = new Map(pairs.map(({ documentId, value }) => [documentId, value]));
  const judgments = [...grades].map(([documentId, value]) => ({
    documentId,
    grade: value ?? 0,
    judge: null,
    judgedAt: '',
    ...by,
    fromFile: true,
    documentVersion: null,
    note: null,
  }));
  const question = old ?? { id, text: id, tags: [], answerable: true, forbidden: [] };
  return mergeJudgments(old, { ...question, judgments }, { mode, isAddition: true });
}

interface PairsRule {
  readonly id: string;
  readonly mode: VerdictMode;
  /** Absent: only counts and conflicts are asked for. */
  readonly by?: Pick<Judgment, 'judge' | 'judgedAt'>;
}

/** Where something stands: its line in a text, its path in JSON. */
type Locate = (place: number, ...path: readonly string[]) => Omit<PlacedIssue, 'detail'>;

interface JudgedQuestion {
  readonly judged: StagedQuestion;
  readonly locate: Locate;
}

function createLocator(questionId: string, hasLines: boolean): Locate {
  return (place, ...path) => {
    if (hasLines) return { pointer: '/body', line: place, place };
    const parts = [questionId, ...path].map(
      (part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
    return { pointer: `/body${parts.join('')}`, place };
  };
}

function findDoublesAndExcess(
  { issues, repeated }: { readonly issues: PlacedIssues; readonly repeated: string[] },
  id: string,
  { judged, locate }: JudgedQuestion,
): void {
  const seen = new Map<string, StagedPair>();
  for (const pair of judged.pairs) {
    const { documentId, place, value } = pair;
    const first = seen.get(documentId);
    if (first) {
      if (first.value === value) repeated.push(`${id} ${documentId}`);
      else issues.add({ ...locate(place), detail: describeTwoGrades(id, pair, first) });
    } else if (seen.size === maxJudgmentsPerQuestion) {
      const tooMany = `question '${id}' has more than ${maxJudgmentsPerQuestion} documents`;
      issues.add({ ...locate(place), detail: tooMany });
      return;
    } else seen.set(documentId, pair);
  }
}

function describeTwoGrades(
  id: string,
  { documentId, value }: StagedPair,
  first: StagedPair,
): string {
  const grades = `grade ${value} and, in an earlier place, grade ${first.value}`;
  return `document '${documentId}' of question '${id}' has two grades: ${grades}; keep one`;
}

/** Documents that are judged already count as well. */
function findExcess(
  issues: PlacedIssues,
  { id, judgments }: Question,
  { judged: { pairs, place }, locate }: JudgedQuestion,
): void {
  const isNamed = pairs.length > maxJudgmentsPerQuestion;
  if (isNamed || judgments.length <= maxJudgmentsPerQuestion) return;
  const detail = `question '${id}' would have more than ${maxJudgmentsPerQuestion} judged documents`;
  issues.add({ ...locate(place), detail });
}

function findContradictedVerdicts(
  conflicts: ConflictCollector,
  { question: { id }, contradicted }: MergedQuestion,
  { judged, locate }: JudgedQuestion,
): void {
  for (const contradiction of contradicted) {
    const { documentId } = contradiction.verdict;
    const pair = judged.pairs.find((one) => one.documentId === documentId);
    const detail = describeContradiction(id, contradiction);
    conflicts.add({ ...locate(pair?.place ?? judged.place, documentId), detail });
  }
}

function findContradictions(
  issues: PlacedIssues,
  { id, answerable, forbidden }: Question,
  { judged, locate }: JudgedQuestion,
): void {
  if (answerable && forbidden.length === 0) return;
  const isWrong = ({ value, documentId }: StagedPair) =>
    (value ?? 0) > 0 && (!answerable || forbidden.includes(documentId));
  for (const { documentId, place } of judged.pairs.filter(isWrong)) {
    const detail = answerable
      ? `document '${documentId}' is forbidden for the user of this question`
      : `question '${id}' is marked as not answerable`;
    issues.add({ ...locate(place, documentId), detail });
  }
}

function refuseDoubles(errors: readonly InputError[]): void {
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? '' : `line ${first.line}: `;
  throw new InvalidInputError(`The body was rejected: ${where}${first.detail}`, errors);
}

function refuseMissing(missing: PlacedIssues): void {
  const count = missing.count();
  if (count === 0) return;
  const named = count === 1 ? '1 question does' : `${count} questions do`;
  const message = `${named} not exist; add ?create=true to create missing ones`;
  throw new InvalidInputError(message, missing.first());
}

function refuseContradictions(errors: readonly InputError[]): void {
  if (errors.length === 0) return;
  throw new InvalidInputError('The qrels contradict the question set', errors);
}
