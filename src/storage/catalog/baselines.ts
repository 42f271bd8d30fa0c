import type { Database } from '../database/database.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';

/** A run that later ones are compared with: one configuration of one evaluation, by name. */
export interface Baseline {
  readonly name: string;
  readonly evaluation: string;
  readonly configuration: string;
  /** When the name came to mean this run. */
  readonly createdAt: string;
}

export async function findBaseline(db: Database, name: string): Promise<Baseline | undefined> {
  return select(db).where('name', '=', name).executeTakeFirst();
}

export async function listBaselines(db: Database, page: PageRequest): Promise<Page<Baseline>> {
  return listByName(select(db), page, (row) => row);
}

/** The names of the baselines that an evaluation is kept for. */
export async function listBaselinesOf(
  db: Database,
  evaluationId: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('baseline')
    .where('evaluation_id', '=', evaluationId)
    .orderBy('name')
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function upsertBaseline(
  db: Database,
  { name, evaluation, configuration, createdAt }: Baseline,
): Promise<void> {
  const values = { evaluation_id: evaluation, configuration, created_at: createdAt };
  await db
    .insertInto('baseline')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute();
}

export async function deleteBaseline(db: Database, name: string): Promise<void> {
  await db.deleteFrom('baseline').where('name', '=', name).execute();
}

function select(db: Database) {
  return db
    .selectFrom('baseline')
    .select(['name', 'evaluation_id as evaluation', 'configuration', 'created_at as createdAt']);
}
