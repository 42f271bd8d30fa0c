import { describe, expect, it } from 'vitest';
import pg from 'pg';

import type { JsonValue } from '../../src/model/http-search.ts';
import type { SqlConfiguration } from '../../src/model/sql-search.ts';
import { createSqlConnection } from '../../src/retrieval/backends/sql/sql-connection.ts';
import { createSqlRetriever } from '../../src/retrieval/backends/sql/sql-retriever.ts';
import type { RetrieveOptions } from '../../src/retrieval/retriever.ts';
import { type ContractSetup, testRetriever } from '../contract/retriever-contract.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createEmptyDatabase } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';
import { query } from '../helpers/query.ts';
import { createFakeClock } from '../unit/retrieval/resilience/fake-clock.ts';

const columns = { documentId: 'id', score: 'score', text: 'text' };

const usual: SqlConfiguration = {
  backend: 'sql',
  source: 'docs',
  statement: `select id, ts_rank(to_tsvector('english', text), q) as score, text
    from documents, websearch_to_tsquery('english', :question) q
    where to_tsvector('english', text) @@ q order by score desc, id limit :depth`,
  columns,
  users: {},
  depth: 10,
};

async function createDocuments(): Promise<string> {
  const url = await createEmptyDatabase('postgres');
  await query(url, 'create table documents (id text, text text)');
  for (const { id, title, paragraphs } of pumpDocuments) {
    const text = [title, ...paragraphs].join(' ').replaceAll("'", "''");
    await query(url, `insert into documents values ('${id}', '${text}')`);
  }
  return url;
}

function connect(url: string, changes: Partial<SqlConfiguration> = {}, timeoutMs = 5000) {
  const clock = createFakeClock();
  const sources = new Map([['docs', { url, tenants: ['*'] }]]);
  const connection = createSqlConnection({
    sources,
    concurrency: 2,
    timeoutMs,
    attempts: 3,
    clock,
  });
  const database = connection.findDatabase('docs', 'anyone');
  if (!database) throw new Error('the database is open to everybody');
  let searches = 0;
  const client: typeof database.client = {
    select(...args) {
      searches += 1;
      return database.client.select(...args);
    },
  };
  const retriever = createSqlRetriever(
    { ...usual, ...changes },
    { ...database, client },
    connection,
  );
  const search = (question: string, asked: Partial<RetrieveOptions> = {}) =>
    retriever.retrieve(question, { depth: 10, signal: AbortSignal.timeout(20_000), ...asked });
  return { retriever, search, countSearches: () => searches };
}

describe('createSqlRetriever', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: true });

  it('finds with the search of PostgreSQL, and sends the question as a value', async () => {
    const url = await createDocuments();
    const { search } = connect(url);

    const { hits, cost } = await search('leaking oil');
    const { hits: none } = await search("'; drop table documents; --");

    expect(hits.map(({ documentId }) => documentId)).toEqual(['P2']);
    expect(hits[0]?.score).toBeGreaterThan(0);
    expect(cost).toMatchObject({ searches: 1, attempts: 1 });
    expect(none).toEqual([]);
    expect((await search('inspector')).hits).toHaveLength(1);
  });

  it.each([
    [
      'a table that is not there',
      { statement: 'select id from nowhere where id = :question' },
      'SQLSTATE 42P01. Check the statement',
    ],
    [
      'a column that is not in the result',
      { columns: { documentId: 'document' } },
      'has no column "document". It has "id", "score", "text"',
    ],
    [
      'more rows than a ranking needs',
      { statement: 'select :question as id, 1 as score, 1 as text from generate_series(1, 10001)' },
      'more than 10000 rows',
    ],
  ])('fails with %s, without another attempt', async (_case, changes, message) => {
    const { search, countSearches } = connect(await createDocuments(), changes);

    await expect(search('pump')).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringContaining(message) as string,
      attempts: 1,
    });
    expect(countSearches()).toBe(1);
  });

  it('lets a statement change nothing, whatever functions it calls', async () => {
    const url = await createDocuments();
    await query(
      url,
      'create function grow(t text) returns text language sql as $$insert into documents values (t, t) returning id$$',
    );
    const statement = 'select grow(:question) as id, 1 as score, 1 as text';
    const { search } = connect(url, { statement });

    await expect(search('x')).rejects.toThrow('SQLSTATE 25006. A search may only read');
    const { hits } = await connect(url, {
      statement: "select id, 1 as score, '' as text from documents where :question = 'x'",
    }).search('x');
    expect(hits).toHaveLength(pumpDocuments.length);
  });

  it('fails one question whose data cannot be computed with, and no other', async () => {
    const statement = 'select (:question)::int as id, 1 as score, 1 as text';
    const { search } = connect(await createDocuments(), { statement });

    await expect(search('secret words')).rejects.toSatisfy(
      (error: Error) =>
        error.message.includes('SQLSTATE 22P02') && !error.message.includes('secret'),
    );
    expect((await search('7')).hits).toMatchObject([{ documentId: '7', score: 1 }]);
  });

  it('ends a statement that takes too long, and says so', async () => {
    const statement = 'select :question as id, 1 as score, pg_sleep(20)::text as text';
    const { search, countSearches } = connect(await createDocuments(), { statement }, 300);

    await expect(search('pump')).rejects.toMatchObject({
      code: 'retriever-timeout',
      message: expect.stringContaining('within 300 ms') as string,
    });
    expect(countSearches()).toBe(3);
  });

  it('leaves a statement when the evaluation is cancelled, and can search again', async () => {
    const statement =
      "select :question as id, 1 as score, (case when :question = 'slow' then pg_sleep(20) end)::text as text";
    const { search } = connect(await createDocuments(), { statement });

    await expect(search('slow', { signal: AbortSignal.timeout(500) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect((await search('quick')).hits).toMatchObject([{ documentId: 'quick' }]);
  });

  it('tries again after the server closed the connection', async () => {
    const url = await createDocuments();
    const statement = `select :question as id, 1 as score,
      (case when pg_advisory_lock_shared(1) is not null then '' end) as text`;
    const { search } = connect(url, { statement });
    const blocker = new pg.Client(url);
    await blocker.connect();
    await blocker.query('select pg_advisory_lock(1)');

    const searched = search('pump');
    await endWaiting(blocker);
    await blocker.end();

    const { hits, cost } = await searched;
    expect(hits).toMatchObject([{ documentId: 'pump' }]);
    expect(cost.attempts).toBe(2);
  });

  it('says nothing of credentials when the database cannot be reached or refuses them', async () => {
    const url = new URL(await createDocuments());
    url.password = 'made-up-secret';
    const refused = connect(url.href);
    url.port = '1';
    const gone = connect(url.href);

    await expect(gone.search('pump')).rejects.toSatisfy(
      (error: Error) =>
        /cannot be reached/.test(error.message) && !/made-up-secret/.test(error.message),
    );
    expect(gone.countSearches()).toBe(3);
    await expect(refused.search('pump')).rejects.toThrow(
      'SQLSTATE 28P01. Check the user and password',
    );
  });
});

/** Ends the one backend that waits for the lock, as an administrator does. */
async function endWaiting(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    if (rowCount) return;
  }
}

describe('the backend sql over HTTP', () => {
  it('stands beside the local search in one evaluation', async () => {
    const url = await createDocuments();
    const app = await createTestApp({ sqlSources: new Map([['docs', { url, tenants: ['*'] }]]) });
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const { source, statement } = usual;

    const { status, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        { name: 'local', ...bm25 },
        { name: 'sql', backend: 'sql', source, statement, columns },
      ],
      measures: ['RR'],
    });

    // q1 has "drips", which no document has, so only q2 and q3 are found. Each finds its document first.
    expect(status).toBe('succeeded');
    expect(scorecard.map(({ questions }) => questions.failed)).toEqual([0, 0]);
    expect(scorecard[1]?.measures['RR']).toBeCloseTo(2 / 3, 12);
  });

  it('searches no database that is closed to the tenant', async () => {
    const sources = new Map([['docs', { url: await createDocuments(), tenants: ['another'] }]]);
    const app = await createTestApp({ sqlSources: sources });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const { source, statement } = usual;

    const { status, error } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'sql', backend: 'sql', source, statement, columns }],
    });

    expect(status).toBe('failed');
    expect(error?.detail).toContain("Database 'docs' is not one that may be searched");
  });

  it('refuses what is not one SELECT, at its place', async () => {
    const app = await createTestApp();
    const answer = await send(app, 'PUT', '/v1/search-configurations/c', {
      body: { backend: 'sql', source: 'docs', statement: 'delete from d', columns },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      errors: [{ pointer: '/body/statement', detail: 'must begin with SELECT or WITH' }],
    });
  });
});

const meets = (conditions: string) =>
  `not exists (select from jsonb_array_elements(${conditions} -> 'documentMetadata') c where not exists
    (select from jsonb_array_elements_text(c -> 'value') v where metadata -> (c ->> 'key') ? v))`;

/** Filters and conditions of users are lists of keys with values; `?` asks whether a list of JSON holds a text. */
async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const url = await createEmptyDatabase('postgres');
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create table chunks (id text, text text, score float8, metadata jsonb)');
  for (const { documentId, text, score, documentMetadata } of chunks) {
    await client.query('insert into chunks values ($1, $2, $3, $4)', [
      documentId,
      text,
      score,
      JSON.stringify(documentMetadata),
    ]);
  }
  await client.end();
  const statement = `select id, text, score from chunks
    where :question = 'brake' and score is not null
    and (:filters::jsonb = '[]' or exists (select from jsonb_array_elements(:filters::jsonb) f where ${meets('f')}))
    and (:user::jsonb is null or ${meets(':user::jsonb')})
    order by score desc, id limit :depth`;
  return connect(url, {
    statement,
    filters: filters as unknown as JsonValue,
    users: users as unknown as Readonly<Record<string, JsonValue>>,
  });
}
