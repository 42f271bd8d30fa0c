import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';

interface LogLine {
  readonly msg: string;
  readonly evaluation?: string;
  readonly correlation_id?: string;
}

describe('the name of a request', () => {
  it('is the caller’s, else the router’s', async () => {
    const app = await createTestApp();
    const both = { 'x-correlationid': 'caller-1', 'x-vcap-request-id': 'router-1' };
    const asCaller = await app.inject({ url: '/v1/measures', headers: both });
    const asRouter = await app.inject({
      url: '/v1/nothing',
      headers: { 'x-vcap-request-id': 'router-1' },
    });

    expect(asCaller.headers['x-correlationid']).toBe('caller-1');
    expect(asRouter.headers['x-correlationid']).toBe('router-1');
    expect(asRouter.json()).toMatchObject({ instance: 'urn:request:router-1' });
  });

  it.each(['', 'x'.repeat(129), 'two words', 'a"b', '{"level":60}', 'ümlaut', 'a,b'])(
    'is a new one in place of %j',
    async (hostile) => {
      const app = await createTestApp();
      const headers = { 'x-correlationid': Buffer.from(hostile).toString('latin1') };
      const { headers: answered } = await app.inject({ url: '/v1/measures', headers });

      expect(answered['x-correlationid']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it.each(databaseKinds)('is in the logs of request and worker on %s', async (kind) => {
    const { url, lines } = await startServer({ DATABASE_URL: await createDatabase(kind) });
    const bm25 = { name: 'bm25', backend: 'local', corpus: 'sample', method: 'bm25' };
    const answer = await fetch(`${url}/v1/eval`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-correlationid': 'nightly-17' },
      body: JSON.stringify({ questionSet: 'sample', configurations: [bm25] }),
    });
    const { id } = (await answer.json()) as { id: string };
    const worker = await waitFor(() =>
      lines.map((line) => JSON.parse(line) as LogLine).find(({ evaluation }) => evaluation === id),
    );
    const named = lines.filter((line) => line.includes('"correlation_id":"nightly-17"'));

    expect(worker).toMatchObject({ evaluation: id, correlation_id: 'nightly-17' });
    expect(named.some((line) => line.includes('request completed'))).toBe(true);
  });
});
