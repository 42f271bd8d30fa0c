import { AppError, InvalidInputError, NotFoundError } from '../../errors.ts';
import { AddedJudgments } from '../../model/added-judgments.ts';
import type { Database } from '../../storage/database/database.ts';
import { parseStored } from '../../storage/database/parse-stored.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { findQuestionSet, type QuestionSet } from '../../storage/question-sets/question-sets.ts';
import { findStoredQuestions } from '../../storage/question-sets/questions.ts';
import {
  deleteVerdict,
  findSitting,
  insertSitting,
  listQuietSittings,
  listVerdicts,
  setSittingClosed,
  setSittingResult,
  touchSitting,
  upsertVerdict,
  type Sitting,
  type SittingVerdict,
} from '../../storage/question-sets/sittings.ts';
import { addJudgments, findJudgmentIssues } from './add-judgments.ts';

/** A sitting that is idle for this long is closed and becomes a version. */
const quietMs = 30 * 60 * 1000;

/** A verdict as a judge sends it; `grade: null` takes an earlier one back. */
export interface SentVerdict {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number | null;
  readonly documentVersion?: string | undefined;
  readonly note?: string | undefined;
}

export interface ShownSitting {
  readonly sitting: Sitting;
  readonly verdicts: readonly SittingVerdict[];
  readonly saved: AddedJudgments | null;
}

/** Opens a sitting under an id that the sender chose, so that a request sent twice opens one. */
export async function openSitting(
  db: Database,
  {
    id,
    questionSet,
    judge,
    now,
  }: {
    readonly id: string;
    readonly questionSet: string;
    readonly judge: string;
    readonly now: string;
  },
): Promise<{ readonly shown: ShownSitting; readonly isNew: boolean }> {
  await getSet(db, questionSet);
  const before = await findSitting(db, id);
  await insertSitting(db, { id, questionSet, judge, openedAt: now });
  const shown = await showSitting(db, questionSet, { id, judge });
  return { shown, isNew: before === undefined };
}

/** A judge sees their own sittings only. */
export async function showSitting(
  db: Database,
  questionSet: string,
  { id, judge }: { readonly id: string; readonly judge: string | undefined },
): Promise<ShownSitting> {
  const sitting = await findSitting(db, id);
  const isOwn = judge === undefined || sitting?.judge === judge;
  if (!sitting || sitting.questionSet !== questionSet || !isOwn) {
    throw new NotFoundError('Sitting', id);
  }
  const place = { table: 'sitting', column: 'result', row: id } as const;
  const saved = sitting.result === null ? null : parseStored(AddedJudgments, sitting.result, place);
  return { sitting, verdicts: await listVerdicts(db, id), saved };
}

/**
 * Stores verdicts of an open sitting. A later verdict on the same pair replaces the earlier one, so that what is sent
 * again counts once. Nothing is stored when one is refused.
 */
export async function addVerdicts(
  db: Database,
  { sitting }: ShownSitting,
  { verdicts, now }: { readonly verdicts: readonly SentVerdict[]; readonly now: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await touchSitting(trx, sitting.id, now))) {
      throw new AppError('conflict', `Sitting '${sitting.id}' is closed; open another one`);
    }
    await refuseInvalid(trx, sitting, verdicts);
    for (const { grade, ...verdict } of verdicts) {
      const { documentVersion = null, note = null } = verdict;
      if (grade === null) await deleteVerdict(trx, sitting.id, verdict);
      else {
        const stored = { ...verdict, grade, documentVersion, note, judgedAt: now };
        await upsertVerdict(trx, sitting.id, stored);
      }
    }
    return (await listVerdicts(trx, sitting.id)).length;
  });
}

async function refuseInvalid(
  db: Database,
  { id, questionSet }: Sitting,
  verdicts: readonly SentVerdict[],
): Promise<void> {
  const given = verdicts.flatMap(({ grade, ...verdict }) =>
    grade === null ? [] : [{ ...verdict, grade }],
  );
  const { version } = await getSet(db, questionSet);
  const pairOf = (verdict: SentVerdict) => JSON.stringify([verdict.questionId, verdict.documentId]);
  const sent = new Set(verdicts.map(pairOf));
  const earlier = (await listVerdicts(db, id)).filter(
    (verdict) => !sent.has(pairOf(asSent(verdict))),
  );
  const ids = [...new Set([...given, ...earlier].map(({ questionId }) => questionId))];
  const questions = await findStoredQuestions(db, { questionSet, version }, ids);
  const issues = findJudgmentIssues(questions, [...given, ...earlier.map(asSent)]);
  if (issues.length === 0) return;
  const errors = issues.map(({ pointer, ...issue }) => ({
    ...issue,
    pointer: pointer.replace('/body/judgments/', '/body/verdicts/'),
  }));
  throw new InvalidInputError('Invalid verdicts', errors);
}

function asSent({ documentVersion, note, judgedAt: _judgedAt, ...verdict }: SittingVerdict) {
  return {
    ...verdict,
    ...(documentVersion !== null && { documentVersion }),
    ...(note !== null && { note }),
  };
}

/**
 * Makes one version of all verdicts, and closes the sitting. Done again, it answers the same. A sitting whose verdicts no
 * longer fit the question set is refused and stays open.
 */
export async function closeSitting(
  db: Database,
  { sitting, saved }: ShownSitting,
  now: string,
): Promise<AddedJudgments> {
  if (saved) return saved;
  // First no verdict can come any more, then all are read.
  await setSittingClosed(db, sitting.id, now);
  const verdicts = await listVerdicts(db, sitting.id);
  try {
    const added = await addAll(db, sitting, { verdicts, now });
    await setSittingResult(db, sitting.id, JSON.stringify(added));
    return added;
  } catch (error) {
    if (error instanceof AppError) await setSittingClosed(db, sitting.id, null);
    throw error;
  }
}

async function addAll(
  db: Database,
  { questionSet, judge }: Sitting,
  { verdicts, now }: { readonly verdicts: readonly SittingVerdict[]; readonly now: string },
): Promise<AddedJudgments> {
  if (verdicts.length > 0) {
    return addJudgments(db, questionSet, { judge, judgments: verdicts.map(asSent), now });
  }
  const { version } = await getSet(db, questionSet);
  return { name: questionSet, version, added: 0, changed: 0, unchanged: 0, warnings: [] };
}

/** Closes the sittings of all tenants that were left. One that fails does not keep the others from it. */
export async function closeQuietSittings(
  store: Database,
  now: string,
  onError: (error: unknown) => void,
): Promise<void> {
  const before = new Date(Date.parse(now) - quietMs).toISOString();
  for (const { tenant, ...sitting } of await listQuietSittings(store, before)) {
    const db = scopeToTenant(store, tenant, sitting.judge);
    try {
      await closeSitting(db, { sitting, verdicts: [], saved: null }, now);
    } catch (error) {
      onError(error);
    }
  }
}

async function getSet(db: Database, name: string): Promise<QuestionSet> {
  const set = await findQuestionSet(db, name);
  if (!set) throw new NotFoundError('Question set', name);
  return set;
}
