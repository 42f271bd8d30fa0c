import type { Database } from './database.ts';
import { inBatches } from './in-batches.ts';
import { toPage, type Page, type PageRequest } from './paging.ts';

/** Rankings that a client brought. */
export interface ImportedRun {
  readonly name: string;
  readonly contentHash: string;
  readonly questions: number;
  readonly hits: number;
  readonly createdAt: string;
}

/** One question's hits in rank order; `score` is null when the client gave none. */
export interface ImportedRanking {
  readonly questionId: string;
  readonly hits: readonly ImportedHit[];
}

export interface ImportedHit {
  readonly documentId: string;
  readonly score: number | null;
}

export async function findRun(db: Database, name: string): Promise<ImportedRun | undefined> {
  return selectRuns(db).where('name', '=', name).executeTakeFirst();
}

export async function listRuns(
  db: Database,
  { limit, after }: PageRequest,
): Promise<Page<ImportedRun>> {
  const rows = await selectRuns(db)
    .$if(after !== undefined, (query) => query.where('name', '>', after ?? ''))
    .orderBy('name')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, { toItem: (row) => row, toCursor: (row) => row.name });
}

/** One question's hits, or undefined when the run lacks the question. */
export async function findImportedHits(
  db: Database,
  run: string,
  questionId: string,
): Promise<readonly ImportedHit[] | undefined> {
  const row = await db
    .selectFrom('run_ranking')
    .where('run', '=', run)
    .where('question_id', '=', questionId)
    .select('hits')
    .executeTakeFirst();
  return row && toHits(row.hits);
}

/** Every ranking in the order it was brought, read in batches. */
export async function* streamRankings(
  db: Database,
  run: string,
  batchSize = 200,
): AsyncGenerator<ImportedRanking> {
  let after = -1;
  for (;;) {
    const rows = await db
      .selectFrom('run_ranking')
      .where('run', '=', run)
      .where('position', '>', after)
      .orderBy('position')
      .limit(batchSize)
      .select(['position', 'question_id', 'hits'])
      .execute();
    for (const row of rows) yield { questionId: row.question_id, hits: toHits(row.hits) };
    const last = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.position;
  }
}

export async function replaceRun(
  trx: Database,
  run: ImportedRun,
  rankings: readonly ImportedRanking[],
): Promise<void> {
  await deleteRun(trx, run.name);
  const { name, questions, hits } = run;
  await trx
    .insertInto('run')
    .values({
      name,
      content_hash: run.contentHash,
      questions,
      hits,
      created_at: run.createdAt,
    })
    .execute();
  const positioned = rankings.map((ranking, position) => ({ ranking, position }));
  await inBatches(positioned, (batch) =>
    trx
      .insertInto('run_ranking')
      .values(batch.map(({ ranking, position }) => toRow(name, ranking, position)))
      .execute(),
  );
}

export async function deleteRun(trx: Database, name: string): Promise<boolean> {
  const result = await trx.deleteFrom('run').where('name', '=', name).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function selectRuns(db: Database) {
  return db
    .selectFrom('run')
    .select([
      'name',
      'content_hash as contentHash',
      'questions',
      'hits',
      'created_at as createdAt',
    ]);
}

function toRow(run: string, { questionId, hits }: ImportedRanking, position: number) {
  const pairs = hits.map(({ documentId, score }) => [documentId, score]);
  return { run, question_id: questionId, position, hits: JSON.stringify(pairs) };
}

function toHits(json: string): readonly ImportedHit[] {
  const pairs = JSON.parse(json) as [string, number | null][];
  return pairs.map(([documentId, score]) => ({ documentId, score }));
}
