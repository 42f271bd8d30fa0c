import { AppError, NotFoundError } from '../errors.ts';
import type { Judgment, Question } from '../ir/question.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../storage/database.ts';
import { countEvaluationsOf, countUnfinishedOf } from '../storage/evaluations.ts';
import {
  findQuestionSet,
  findQuestions,
  findVersion,
  hideQuestionSet,
  insertVersion,
  listLabels,
  lockQuestionSet,
  purgeQuestionSet,
  updateDescription,
  type QuestionRecord,
  type StoredLabel,
} from '../storage/question-sets.ts';
import { hashQuestion, hashUnordered } from './hash-content.ts';
import type { Warning } from './warnings.ts';

export interface SavedQuestionSet {
  readonly name: string;
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly warnings: readonly Warning[];
  /** False: the content was that of the latest version already, so no version was made. */
  readonly isNew: boolean;
}

/** Makes a question ready to be stored at its place in the set. */
export function toQuestionRecord(question: Question, position: number): QuestionRecord {
  return {
    id: question.id,
    position,
    split: question.split ?? null,
    contentHash: hashQuestion(question),
    judgments: question.judgments.length,
    body: JSON.stringify(question),
  };
}

/**
 * Stores the questions as the set's next version, or finds that they are its latest already. Questions
 * that stay keep the judge, time and note of every grade that stays.
 */
export async function saveQuestionSet(
  trx: DatabaseTransaction,
  name: string,
  content: {
    readonly description?: string | undefined;
    /** In the set's order, ids unique. */
    readonly questions: readonly QuestionRecord[];
    readonly now: string;
  },
): Promise<SavedQuestionSet> {
  await lockCatalog(trx, 'shared');
  const { latestVersion, deletedThrough } = await lockQuestionSet(trx, name);
  const isVisible = latestVersion > deletedThrough;
  if (content.description !== undefined) await updateDescription(trx, name, content.description);
  const contentHash = hashLabels(content.questions);
  const latest = isVisible ? await findVersion(trx, name, latestVersion) : undefined;
  if (latest?.contentHash === contentHash) return { name, ...latest, warnings: [], isNew: false };

  const stored = toLabelMap(await listLabels(trx, name, latestVersion));
  const isSame = ({ id, contentHash: hash, position }: QuestionRecord) =>
    isVisible && stored.get(id)?.contentHash === hash && stored.get(id)?.position === position;
  const same = new Set(content.questions.filter(isSame).map(({ id }) => id));
  const changed = content.questions.filter(({ id }) => !same.has(id));
  const version = {
    version: latestVersion + 1,
    contentHash,
    questions: content.questions.length,
    judgments: content.questions.reduce((sum, { judgments }) => sum + judgments, 0),
    createdAt: content.now,
  };
  await insertVersion(trx, name, version, {
    ended: [...stored.keys()].filter((id) => !same.has(id)),
    started: isVisible ? await keepVerdicts(trx, name, latestVersion, changed) : changed,
  });
  return { name, ...version, warnings: [], isNew: true };
}

/** Stores other judgments for some questions of a set as its next version. `labels` is the latest version's. */
export async function saveChangedQuestions(
  trx: DatabaseTransaction,
  name: string,
  latest: { readonly version: number; readonly judgments: number },
  change: {
    readonly questions: readonly QuestionRecord[];
    readonly addedJudgments: number;
    readonly now: string;
  },
): Promise<SavedQuestionSet> {
  const labels = toLabelMap(await listLabels(trx, name, latest.version));
  for (const record of change.questions) labels.set(record.id, record);
  const version = {
    version: latest.version + 1,
    contentHash: hashLabels([...labels.values()]),
    questions: labels.size,
    judgments: latest.judgments + change.addedJudgments,
    createdAt: change.now,
  };
  const ended = change.questions.map(({ id }) => id);
  await insertVersion(trx, name, version, { ended, started: change.questions });
  return { name, ...version, warnings: [], isNew: true };
}

/** Deletes a set. What stored evaluations still read goes with the last of them. */
export async function removeQuestionSet(db: Database, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    if (!(await findQuestionSet(trx, name))) throw new NotFoundError('Question set', name);
    if ((await countUnfinishedOf(trx, name)) > 0) {
      const message = `An evaluation of question set '${name}' is queued or running; cancel it first`;
      throw new AppError('conflict', message);
    }
    const isRead = (await countEvaluationsOf(trx, name)) > 0;
    await (isRead ? hideQuestionSet(trx, name) : purgeQuestionSet(trx, name));
  });
}

function hashLabels(labels: readonly Pick<StoredLabel, 'id' | 'contentHash'>[]): string {
  return hashUnordered(labels.map(({ contentHash }) => contentHash));
}

function toLabelMap(labels: readonly StoredLabel[]): Map<string, StoredLabel> {
  return new Map(labels.map((label) => [label.id, label]));
}

async function keepVerdicts(
  trx: Database,
  questionSet: string,
  version: number,
  records: readonly QuestionRecord[],
): Promise<readonly QuestionRecord[]> {
  const ids = records.map(({ id }) => id);
  const before = await findQuestions(trx, { questionSet, version }, ids);
  return records.map((record) => {
    const old = before.get(record.id);
    return old ? { ...record, body: keepVerdictsOf(old, record.body) } : record;
  });
}

function keepVerdictsOf(old: Question, body: string): string {
  const verdicts = new Map(old.judgments.map((judgment) => [judgment.documentId, judgment]));
  const question = JSON.parse(body) as Question;
  const keep = (judgment: Judgment) => {
    const verdict = verdicts.get(judgment.documentId);
    return verdict?.grade === judgment.grade ? verdict : judgment;
  };
  return JSON.stringify({ ...question, judgments: question.judgments.map(keep) });
}
