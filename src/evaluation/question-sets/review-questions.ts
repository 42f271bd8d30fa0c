import { InvalidInputError } from '../../errors.ts';
import { findLabelState, type Judgment, type Question } from '../../model/question.ts';
import type { Draft } from '../../storage/catalog/drafts.ts';
import {
  findStoredQuestions,
  streamQuestions,
  type StoredQuestion,
} from '../../storage/question-sets/questions.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { maxJudgmentsPerQuestion } from './check-qrels.ts';
import { hashQuestion } from '../../model/hash-content.ts';
import { createLabelWarnings } from './label-warnings.ts';
import {
  addCounts,
  isVerdict,
  mergeJudgments,
  type JudgmentCounts,
  type MergedQuestion,
  type VerdictMode,
} from './merge-judgments.ts';
import type { NextVersion } from './next-version.ts';
import { createPlacedIssues, type PlacedIssues } from '../catalog/placed-issues.ts';
import type { PlacedEntry, QuestionEntry, StagedQuestions } from './stage-questions.ts';
import {
  createConflicts,
  describeContradiction,
  type ConflictCollector,
  type VerdictConflicts,
} from './verdict-conflicts.ts';
import type { Warning } from '../../model/warnings.ts';

/** What a file of questions makes of a set. */
export interface QuestionReview {
  readonly counts: JudgmentCounts;
  readonly conflicts: VerdictConflicts;
  readonly questions: number;
  readonly judgments: number;
  /** Whether it says anything else than the latest version. The order of questions says nothing. */
  readonly isChanged: boolean;
  /** The places of the latest version whose questions the file has. */
  readonly found: ReadonlySet<number>;
  /** About questions without a relevant document. */
  readonly warnings: readonly Warning[];
}

export interface ReviewRule {
  readonly mode: VerdictMode;
  readonly by: Pick<Judgment, 'judge' | 'judgedAt'>;
}

/** Reads the staged file against the latest version. Throws `invalid-input` for ids that come twice. */
export async function reviewQuestions(
  draft: Draft,
  next: NextVersion,
  { staged, ...rule }: ReviewRule & { readonly staged: StagedQuestions },
): Promise<QuestionReview> {
  const issues = createPlacedIssues();
  const conflicts = createConflicts();
  const found = new Set<number>();
  const bare: BareQuestion[] = [];
  const total = { questions: 0, judgments: 0, isChanged: false };
  let counts: JudgmentCounts = { added: 0, changed: 0, kept: 0, dropped: 0 };
  const yieldToEventLoop = createYieldToEventLoop();
  for await (const batch of staged.read()) {
    findDoubles(issues, batch);
    const stored = await findLatest(draft, next, batch);
    for (const entry of batch) {
      const old = stored.get(entry.question.id);
      if (old) found.add(old.position);
      const merged = mergeEntry(entry, old?.question, rule);
      const { question } = merged;
      addIssues({ issues, conflicts }, entry, merged);
      counts = addCounts(counts, merged.counts);
      total.questions += 1;
      total.judgments += question.judgments.length;
      total.isChanged ||= old?.contentHash !== hashQuestion(question);
      if (isBare(question)) bare.push(toBare(question, entry.place));
      await yieldToEventLoop();
    }
  }
  refuseIssues(issues);
  const lacking = await reviewLacking(draft, next, { found, conflicts, mode: rule.mode });
  return {
    ...total,
    isChanged: total.isChanged || found.size < (next.latest?.questions ?? 0) || !next.latest,
    counts: { ...counts, dropped: counts.dropped + lacking },
    conflicts: conflicts.end(),
    found,
    warnings: warnOf(bare),
  };
}

/** The questions of the latest version that a batch names. */
export async function findLatest(
  { db }: Draft,
  { latest, selection }: NextVersion,
  batch: readonly PlacedEntry[],
): Promise<ReadonlyMap<string, StoredQuestion>> {
  if (!latest) return new Map();
  const ids = [...new Set(batch.map(({ question }) => question.id))];
  return findStoredQuestions(db, { ...selection, version: latest.version }, ids);
}

/** The question as it is to be stored. */
export function mergeEntry(
  { question, grades }: QuestionEntry,
  old: Question | undefined,
  { mode, by }: ReviewRule,
): MergedQuestion {
  if (grades === undefined) {
    const file = old ? { ...old, ...listGiven(question) } : question;
    return mergeJudgments(old, { ...file, judgments: [] }, { mode: 'keep', isAddition: true });
  }
  const judgments = grades.map(([documentId, grade]) => ({
    documentId,
    grade,
    ...by,
    fromFile: true,
    documentVersion: null,
    note: null,
  }));
  return mergeJudgments(old, { ...question, judgments }, { mode, isAddition: false });
}

/** What a file without judgments says of a question; the rest stays. */
function listGiven({
  tags,
  answerable,
  forbidden,
  ...fields
}: QuestionEntry['question']): Partial<Question> {
  return {
    ...fields,
    ...(tags.length > 0 && { tags }),
    ...(!answerable && { answerable }),
    ...(forbidden.length > 0 && { forbidden }),
  };
}

function addIssues(
  { issues, conflicts }: { readonly issues: PlacedIssues; readonly conflicts: ConflictCollector },
  { place, line }: PlacedEntry,
  { question, contradicted }: MergedQuestion,
): void {
  const at = { place, ...(line !== undefined && { line }) };
  const pointer = `/body/questions/${place}`;
  for (const contradiction of contradicted) {
    const { by, verdict } = contradiction;
    const path = typeof by === 'string' ? by : `relevant/${escapePointer(verdict.documentId)}`;
    const detail = describeContradiction(question.id, contradiction);
    conflicts.add({ ...at, pointer: `${pointer}/${path}`, detail });
  }
  if (question.judgments.length <= maxJudgmentsPerQuestion) return;
  const detail = `has more than ${maxJudgmentsPerQuestion} judged documents together with the judgments that are kept`;
  issues.add({ ...at, pointer: `${pointer}/relevant`, detail });
}

function findDoubles(issues: PlacedIssues, batch: readonly PlacedEntry[]): void {
  const firsts = new Map<string, PlacedEntry>();
  for (const { question, place, line, grades } of batch) {
    const { id } = question;
    const first = firsts.get(id);
    if (!first) {
      firsts.set(id, { question, place, line, grades });
      continue;
    }
    const where = first.line === undefined ? `entry ${first.place + 1}` : `line ${first.line}`;
    const detail = `duplicate id '${id}', already used in ${where}`;
    const at = { place, ...(line !== undefined && { line }) };
    issues.add({ ...at, pointer: `/body/questions/${place}/id`, detail });
  }
}

function refuseIssues(issues: PlacedIssues): void {
  const errors = issues.first();
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? first.pointer : `line ${first.line}, ${first.pointer}`;
  throw new InvalidInputError(`The body was rejected: ${where} ${first.detail}`, errors);
}

/** Counts the judgments of questions that the file lacks. Those with verdicts are conflicts, unless all give way. */
async function reviewLacking(
  { db }: Draft,
  { latest, selection }: NextVersion,
  { found, conflicts, mode }: LackingQuestions,
): Promise<number> {
  if (!latest || found.size === latest.questions) return 0;
  let dropped = 0;
  const stored = streamQuestions(db, { ...selection, version: latest.version });
  for await (const { position, question } of stored) {
    if (found.has(position)) continue;
    dropped += question.judgments.length;
    const verdicts = question.judgments.filter(isVerdict).length;
    if (verdicts === 0 || mode === 'replace') continue;
    const named = verdicts === 1 ? 'a judgment' : `${verdicts} judgments`;
    const detail = `question '${question.id}' has ${named} posted by judges but is missing in the file`;
    conflicts.add({ place: afterAll + position, pointer: '/body/questions', detail });
  }
  return dropped;
}

interface LackingQuestions {
  readonly found: ReadonlySet<number>;
  readonly conflicts: ConflictCollector;
  readonly mode: VerdictMode;
}

/** What is missing comes behind all that is there. */
const afterAll = 1_000_000_000;

interface BareQuestion extends Pick<Question, 'id' | 'answerable' | 'judgments'> {
  readonly place: number;
}

function isBare(question: Question): boolean {
  const state = findLabelState(question);
  return state === 'judged' || state === 'unlabelled';
}

/** One judgment says as much as all of them: none is above 0. */
function toBare({ id, answerable, judgments }: Question, place: number): BareQuestion {
  return { id, answerable, judgments: judgments.slice(0, 1), place };
}

function warnOf(bare: readonly BareQuestion[]): readonly Warning[] {
  const labels = createLabelWarnings();
  for (const question of bare.toSorted((a, b) => a.place - b.place)) labels.add(question);
  return labels.toList();
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
