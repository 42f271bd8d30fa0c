import { AppError, BrokenRowError } from '../../errors.ts';
import type { Database } from '../database/database.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';
import { parseStoredJson, type StoredPlace } from '../database/parse-stored.ts';
import type { RunNotes } from './run-notes.ts';

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

/** The revision whose rankings are the run's; undefined: there is no such run. */
export async function findRevision(db: Database, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('run')
    .where('name', '=', name)
    .select('revision')
    .executeTakeFirst();
  return row?.revision;
}

export async function findRun(db: Database, name: string): Promise<ImportedRun | undefined> {
  return selectRuns(db).where('name', '=', name).executeTakeFirst();
}

export async function listRuns(db: Database, page: PageRequest): Promise<Page<ImportedRun>> {
  return listByName(selectRuns(db), page, (row) => row);
}

/** One question's hits, or undefined when the run lacks the question. */
export async function findImportedHits(
  db: Database,
  run: string,
  questionId: string,
): Promise<readonly ImportedHit[] | undefined> {
  const row = await db
    .selectFrom('run_ranking')
    .innerJoin('run', 'run.revision', 'run_ranking.revision')
    .where('run.name', '=', run)
    .where('question_id', '=', questionId)
    .select('run_ranking.hits')
    .executeTakeFirst();
  const place = { table: 'run_ranking', column: 'hits', row: `${run}/${questionId}` } as const;
  return row && parseHits(row.hits, place);
}

/** Every ranking in the order it was brought, read in batches. Throws `conflict` when the run is replaced meanwhile. */
export async function* streamRankings(
  db: Database,
  name: string,
  batchSize = 200,
): AsyncGenerator<ImportedRanking> {
  const run = await db
    .selectFrom('run')
    .where('name', '=', name)
    .select(['revision', 'questions'])
    .executeTakeFirst();
  let left = run?.questions ?? 0;
  for (let after = -1; left > 0;) {
    const rows = await db
      .selectFrom('run_ranking')
      .where('revision', '=', run?.revision ?? '')
      .where('position', '>', after)
      .orderBy('position')
      .limit(batchSize)
      .select(['position', 'question_id', 'hits'])
      .execute();
    const last = rows.at(-1);
    if (!last) throw new AppError('conflict', `Run '${name}' changed while it was being read`);
    for (const { position, question_id: questionId, hits } of rows) {
      const place = { table: 'run_ranking', column: 'hits', row: `${name}/${position}` } as const;
      yield { questionId, hits: parseHits(hits, place) };
    }
    after = last.position;
    left -= rows.length;
  }
}

export interface PositionedRanking extends ImportedRanking {
  /** Grows in the order in which the questions were brought. */
  readonly position: number;
}

/** Adds some hundred rankings to a revision. */
export async function insertRankings(
  db: Database,
  revision: string,
  rankings: readonly PositionedRanking[],
): Promise<void> {
  const rows = rankings.map((ranking) => toRow(revision, ranking));
  await db.insertInto('run_ranking').values(rows).execute();
}

type NotedRun = ImportedRun & { readonly notes?: RunNotes };

/** Makes a run have the rankings of a revision. Returns the revision that it had before. */
export async function putRun(
  trx: Database,
  { name, contentHash, questions, hits, createdAt, notes }: NotedRun,
  revision: string,
): Promise<string | undefined> {
  const before = await deleteRun(trx, name);
  await trx
    .insertInto('run')
    .values({
      name,
      questions,
      hits,
      revision,
      content_hash: contentHash,
      created_at: createdAt,
      notes: notes ? JSON.stringify(notes) : null,
    })
    .execute();
  return before;
}

/** Deletes a run, and returns its orphaned revision; undefined: there is no such run. */
export async function deleteRun(trx: Database, name: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('run')
    .where('name', '=', name)
    .returning('revision')
    .executeTakeFirst();
  return row?.revision;
}

/** Deletes some rankings of a revision; false: it had none left. */
export async function deleteSomeRankings(db: Database, revision: string): Promise<boolean> {
  const some = db
    .selectFrom('run_ranking')
    .where('revision', '=', revision)
    .select('question_id')
    .limit(rankingsPerDeletion);
  const { numDeletedRows } = await db
    .deleteFrom('run_ranking')
    .where('revision', '=', revision)
    .where('question_id', 'in', some)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Few enough that others hardly wait. */
const rankingsPerDeletion = 500;

const columns = [
  'name',
  'content_hash as contentHash',
  'questions',
  'hits',
  'created_at as createdAt',
] as const;

function selectRuns(db: Database) {
  return db.selectFrom('run').select(columns);
}

function toRow(revision: string, { questionId, position, hits }: PositionedRanking) {
  const documents = hits.length;
  const json = JSON.stringify(toPairs(hits));
  return { revision, question_id: questionId, position, documents, hits: json };
}

/** The form in which hits are stored, and hashed. */
export function toPairs(
  hits: readonly ImportedHit[],
): readonly (readonly [string, number | null])[] {
  return hits.map(({ documentId, score }) => [documentId, score]);
}

/** Reads hits as they are stored. Checks by hand, as there are many. */
export function parseHits(json: string, place: StoredPlace<'run_ranking'>): readonly ImportedHit[] {
  const pairs = parseStoredJson(json, place);
  if (!Array.isArray(pairs) || !pairs.every(isPair)) throw new BrokenRowError(place);
  return pairs.map(([documentId, score]) => ({ documentId, score }));
}

function isPair(pair: unknown): pair is readonly [string, number | null] {
  if (!Array.isArray(pair)) return false;
  const [documentId, score] = pair as readonly unknown[];
  return typeof documentId === 'string' && (score === null || typeof score === 'number');
}
