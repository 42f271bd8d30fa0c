import { AppError, NotFoundError } from '../errors.ts';
import type { Judgment, Question } from '../ir/question.ts';
import { recordChange } from '../storage/audit.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../storage/database.ts';
import { countEvaluationsOf, countUnfinishedOf } from '../storage/evaluations.ts';
import { findVersion } from '../storage/question-set-versions.ts';
import {
  findQuestionSet,
  hideQuestionSet,
  publishVersion,
  purgeQuestionSet,
  updateDescription,
  type LockedQuestionSet,
  type QuestionSet,
} from '../storage/question-sets.ts';
import { isBeingWritten } from '../storage/drafts.ts';
import { writeQuestions, type QuestionRecord } from '../storage/question-writes.ts';
import {
  findStoredQuestions,
  streamContentHashes,
  streamLabels,
  type QuestionSelection,
  type StoredLabel,
} from '../storage/questions.ts';
import { createBreather } from './breather.ts';
import { createUnorderedHash, hashQuestion } from './hash-content.ts';
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
  { name, latestVersion, isVisible }: LockedQuestionSet,
  content: {
    readonly description?: string | undefined;
    /** In the set's order, ids unique. */
    readonly questions: readonly QuestionRecord[];
    readonly now: string;
  },
): Promise<SavedQuestionSet> {
  const isRedescribed = await describe(trx, name, content.description);
  const contentHash = await hashLabels(content.questions);
  const latest = isVisible ? await findVersion(trx, name, latestVersion) : undefined;
  const record = (before: string | null) =>
    recordChange(trx, { at: content.now, kind: 'question-set', name, before, after: contentHash });
  if (latest?.contentHash === contentHash) {
    if (isRedescribed) await record(contentHash);
    return { name, ...latest, warnings: [], isNew: false };
  }

  const before = { questionSet: name, version: latestVersion };
  const stored = await readLabels(trx, before);
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
  await writeQuestions(
    trx,
    { questionSet: name, version: version.version },
    {
      ended: [...stored.keys()].filter((id) => !same.has(id)),
      started: isVisible ? await keepVerdicts(trx, before, changed) : changed,
    },
  );
  await publishVersion(trx, name, version);
  await record(latest?.contentHash ?? null);
  return { name, ...version, warnings: [], isNew: true };
}

/** Stores other judgments for some questions of a set as its next version. */
export async function saveChangedQuestions(
  trx: DatabaseTransaction,
  latest: QuestionSet,
  change: {
    readonly questions: readonly QuestionRecord[];
    readonly addedJudgments: number;
    readonly now: string;
  },
): Promise<number> {
  const { name } = latest;
  const next = { questionSet: name, version: latest.version + 1 };
  const ended = change.questions.map(({ id }) => id);
  await writeQuestions(trx, next, { ended, started: change.questions });
  const contentHash = await hashVersion(trx, next);
  await publishVersion(trx, name, {
    version: next.version,
    contentHash,
    questions: latest.questions,
    judgments: latest.judgments + change.addedJudgments,
    createdAt: change.now,
  });
  const hashes = { before: latest.contentHash, after: contentHash };
  const judged = { at: change.now, kind: 'question-set', name, action: 'judge' } as const;
  await recordChange(trx, { ...judged, ...hashes });
  return next.version;
}

/** The content hash of a version whose questions are written, published or not. */
export async function hashVersion(db: Database, selection: QuestionSelection): Promise<string> {
  const hash = createUnorderedHash();
  for await (const hashes of streamContentHashes(db, selection)) hashes.forEach(hash.add);
  return hash.digest();
}

/** Deletes a set. What stored evaluations still read goes with the last of them. */
export async function removeQuestionSet(db: Database, name: string, now: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findQuestionSet(trx, name);
    if (!stored) throw new NotFoundError('Question set', name);
    if (await isBeingWritten(trx, name)) {
      throw new AppError('conflict', `Question set '${name}' is being imported; wait for its end`);
    }
    if ((await countUnfinishedOf(trx, name)) > 0) {
      const message = `An evaluation of question set '${name}' is queued or running; cancel it first`;
      throw new AppError('conflict', message);
    }
    const isRead = (await countEvaluationsOf(trx, name)) > 0;
    await (isRead ? hideQuestionSet(trx, name) : purgeQuestionSet(trx, name));
    const hashes = { before: stored.contentHash, after: null };
    await recordChange(trx, { at: now, kind: 'question-set', name, ...hashes });
  });
}

/** Whether the description is another one now. */
async function describe(
  trx: DatabaseTransaction,
  name: string,
  description: string | undefined,
): Promise<boolean> {
  if (description === undefined) return false;
  const stored = await findQuestionSet(trx, name);
  await updateDescription(trx, name, description);
  return stored !== undefined && stored.description !== description;
}

async function hashLabels(records: readonly QuestionRecord[]): Promise<string> {
  const hash = createUnorderedHash();
  for (const { contentHash } of records) hash.add(contentHash);
  return hash.digest();
}

async function readLabels(
  trx: Database,
  selection: QuestionSelection,
): Promise<ReadonlyMap<string, StoredLabel>> {
  const labels = new Map<string, StoredLabel>();
  for await (const label of streamLabels(trx, selection)) labels.set(label.id, label);
  return labels;
}

async function keepVerdicts(
  trx: Database,
  selection: QuestionSelection,
  records: readonly QuestionRecord[],
): Promise<readonly QuestionRecord[]> {
  const ids = records.map(({ id }) => id);
  const before = await findStoredQuestions(trx, selection, ids);
  const breathe = createBreather();
  const kept: QuestionRecord[] = [];
  for (const record of records) {
    const old = before.get(record.id);
    kept.push(old ? keepVerdictsOf(old.question, record) : record);
    await breathe();
  }
  return kept;
}

/** The record with the judge, time and note of every grade that the question had already. */
export function keepVerdictsOf(old: Question, record: QuestionRecord): QuestionRecord {
  const verdicts = new Map(old.judgments.map((judgment) => [judgment.documentId, judgment]));
  const question = JSON.parse(record.body) as Question;
  const keep = (judgment: Judgment) => {
    const verdict = verdicts.get(judgment.documentId);
    return verdict?.grade === judgment.grade ? verdict : judgment;
  };
  const judgments = question.judgments.map(keep);
  return { ...record, body: JSON.stringify({ ...question, judgments }) };
}
