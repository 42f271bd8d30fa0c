import { AppError } from '../../errors.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { findByIdempotencyKey, insertEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { EvaluationRequest } from '../../model/evaluation-request.ts';
import { hashJson } from '../../model/hash-content.ts';
import { planEvaluation } from './plan-evaluation.ts';
import { recordEvaluation } from '../lifecycle/record-evaluation.ts';

/**
 * Fixes what will be measured and stores it as queued, before anything is searched. With an idempotency
 * key that was used before, the first request's evaluation is returned and nothing is stored.
 */
export async function createEvaluation(
  db: Database,
  request: EvaluationRequest,
  {
    id,
    now,
    idempotencyKey,
    findObstacle,
  }: {
    readonly id: string;
    readonly now: string;
    readonly idempotencyKey?: string | undefined;
    readonly findObstacle?: RetrieverRegistry['findObstacle'] | undefined;
  },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const requestHash = hashJson(request);
  const idempotency = idempotencyKey === undefined ? null : { key: idempotencyKey, requestHash };
  const insert = async (trx: DatabaseTransaction) => {
    await lockCatalog(trx, 'shared');
    const earlier = await findEarlier(trx, idempotency);
    if (earlier !== undefined) return { id: earlier, isNew: false };
    const planned = await planEvaluation(trx, request, findObstacle);
    await insertEvaluation(trx, {
      id,
      label: request.label ?? null,
      ...planned,
      total: planned.questions * planned.configurations.length,
      rescoreOf: null,
      createdAt: now,
      idempotency,
    });
    await recordEvaluation(trx, { id, ...planned }, { action: 'create', at: now });
    return { id, isNew: true };
  };
  try {
    return await db.transaction().execute(insert);
  } catch (error) {
    // Two first requests with one key at once: the store lets one in, the other finds it here.
    const earlier = await findEarlier(db, idempotency);
    if (earlier === undefined) throw error;
    return { id: earlier, isNew: false };
  }
}

async function findEarlier(
  db: Database,
  idempotency: { readonly key: string; readonly requestHash: string } | null,
): Promise<string | undefined> {
  if (!idempotency) return undefined;
  const earlier = await findByIdempotencyKey(db, idempotency.key);
  if (!earlier) return undefined;
  if (earlier.requestHash === idempotency.requestHash) return earlier.id;
  const message = `The idempotency key was already used for another request, which created evaluation ${earlier.id}`;
  throw new AppError('conflict', message);
}
