import { sql } from 'kysely';

import { AppError } from '../../errors.ts';
import type { Database } from '../database/database.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import { selectLatestVersions } from './question-set-versions.ts';
import { isOnPostgres } from '../database/start-lock.ts';
import { quotasOf, tenantOf } from '../database/tenant-scope.ts';

/** Any number will do, as long as every instance takes the same. */
const lockKey = 7_305_028;

/** How long a client does well to wait before it asks for an evaluation again. */
const retryAfterSeconds = 30;

/** Refuses one more evaluation of a tenant that has as many unfinished ones as it may. */
export async function refuseTooManyEvaluations(trx: Database): Promise<void> {
  const { evaluations } = quotasOf(trx);
  if (evaluations === undefined) return;
  await lockQuotas(trx);
  const { count } = await trx
    .selectFrom('evaluation')
    .where('status', 'in', unfinishedStatuses)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) < evaluations) return;
  const message = `${evaluations} evaluations are queued or running, which is the limit; wait for one to end or cancel one`;
  throw new AppError('too-many-evaluations', message, { details: { retryAfterSeconds } });
}

/** Refuses a latest version, which stands already, with which a tenant would have more questions than it may. */
export async function refuseTooManyQuestions(trx: Database, added: number): Promise<void> {
  const { questions } = quotasOf(trx);
  if (questions === undefined || added <= 0) return;
  await lockQuotas(trx);
  const { sum } = await selectLatestVersions(trx)
    .select((eb) => eb.fn.sum<number | string | null>('questions').as('sum'))
    .executeTakeFirstOrThrow();
  if (Number(sum) <= questions) return;
  const message = `The latest versions of all question sets would have ${sum} questions; the limit is ${questions}. Delete a set or store fewer`;
  throw new AppError('too-many-questions', message);
}

/** So that two who count at a time do not both find room for one. */
async function lockQuotas(trx: Database): Promise<void> {
  if (!isOnPostgres(trx)) return;
  const tenant = tenantOf(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)}, hashtext(${tenant}))`.execute(trx);
}
