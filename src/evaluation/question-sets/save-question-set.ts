import { AppError, NotFoundError } from '../../errors.ts';
import type { Question } from '../../model/question.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { countEvaluationsOf, countUnfinishedOf } from '../../storage/evaluations/evaluations.ts';
import {
  findQuestionSet,
  hideQuestionSet,
  publishVersion,
  type QuestionSet,
} from '../../storage/question-sets/question-sets.ts';
import { isBeingWritten, type Draft } from '../../storage/catalog/drafts.ts';
import {
  writeQuestions,
  type QuestionRecord,
} from '../../storage/question-sets/question-writes.ts';
import {
  streamContentHashes,
  type QuestionSelection,
} from '../../storage/question-sets/questions.ts';
import { stateOfQuestionSet } from '../catalog/entity-states.ts';
import { dropDraft, handOverQuestionSet } from '../drafts/write-draft.ts';
import { createUnorderedHash, hashQuestion } from '../../model/hash-content.ts';
import type { JudgmentCounts } from './merge-judgments.ts';
import type { Precondition } from '../catalog/precondition.ts';
import type { Warning } from '../../model/warnings.ts';

export interface SavedQuestionSet extends JudgmentCounts {
  readonly name: string;
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly warnings: readonly Warning[];
  /** False: the content was that of the latest version already, so no version was made. */
  readonly isNew: boolean;
  /** That the set is in now, as `stateOfQuestionSet` names it. */
  readonly state: string;
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

/**
 * Deletes a set. What stored evaluations still read goes with the last of them. The questions are removed in
 * short steps, by `clearDrafts` if the store or the process goes away meanwhile.
 */
export async function removeQuestionSet(
  { db, id, now }: Draft,
  name: string,
  { precondition }: { readonly precondition: Precondition },
): Promise<void> {
  const at = now();
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findQuestionSet(trx, name);
    precondition(stored && stateOfQuestionSet(stored));
    if (!stored) throw new NotFoundError('Question set', name);
    if (await isBeingWritten(trx, name)) {
      throw new AppError(
        'conflict',
        `Question set '${name}' is being imported; wait until the import ends`,
      );
    }
    if ((await countUnfinishedOf(trx, name)) > 0) {
      const message = `An evaluation of question set '${name}' is queued or running; cancel it first`;
      throw new AppError('conflict', message);
    }
    const isRead = (await countEvaluationsOf(trx, name)) > 0;
    await (isRead ? hideQuestionSet(trx, name) : handOverQuestionSet(trx, { id, at, name }));
    const hashes = { before: stored.contentHash, after: null };
    await recordChange(trx, { at, kind: 'question-set', name, ...hashes });
  });
  await dropDraft(db, id);
}
