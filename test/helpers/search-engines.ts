import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { onTestFinished } from 'vitest';

import { createDatabase } from './databases.ts';
import { openSearchDoor, type SearchDoor } from './search-door.ts';

interface EngineDocument {
  readonly id: string;
  readonly text: string;
}

interface FoundRow {
  readonly id: string;
  readonly text: string;
  readonly score: number;
}

type Search = (words: readonly string[], size: number) => Promise<readonly FoundRow[]>;

/** The full text search of SQLite, behind HTTP in the form of Elasticsearch. */
export async function openSqliteEngine(documents: readonly EngineDocument[]): Promise<SearchDoor> {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  db.exec('create virtual table docs using fts5(id unindexed, text)');
  const insert = db.prepare('insert into docs (id, text) values (?, ?)');
  for (const { id, text } of documents) insert.run(id, text);
  const select = db.prepare(
    'select id, text, -bm25(docs) as score from docs where docs match ? order by score desc, id limit ?',
  );
  return openEngine(async (words, size) => {
    const anyWord = words.map((word) => `"${word}"`).join(' or '.toUpperCase());
    return select.all(anyWord, size) as unknown as FoundRow[];
  });
}

/** The full text search of PostgreSQL, behind HTTP in the form of Elasticsearch. */
export async function openPostgresEngine(
  documents: readonly EngineDocument[],
): Promise<SearchDoor> {
  const client = new Client({ connectionString: await createDatabase('postgres') });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `create temporary table docs (id text, text text, terms tsvector generated always as (to_tsvector('english', text)) stored)`,
  );
  for (const { id, text } of documents) {
    await client.query('insert into docs (id, text) values ($1, $2)', [id, text]);
  }
  return openEngine(async (words, size) => {
    const { rows } = await client.query<FoundRow>(
      `select id, text, ts_rank(terms, query) as score from docs, to_tsquery('english', $1) query
       where terms @@ query order by score desc, id limit $2`,
      [words.join(' | '), size],
    );
    return rows;
  });
}

function openEngine(search: Search): Promise<SearchDoor> {
  return openSearchDoor(async ({ body }) => {
    const { query, size } = body as { query: { match: { text: string } }; size: number };
    const words = query.match.text.toLowerCase().match(/[a-z]+/g) ?? [];
    const rows = await search(words, size);
    const hits = rows.map(({ id, text, score }) => ({
      _id: id,
      _score: score,
      _source: { text },
    }));
    return { body: { hits: { total: { value: hits.length }, hits } } };
  });
}
