import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';

import { deleteExpired } from '../../src/evaluation/lifecycle/delete-expired.ts';
import { scopes } from '../../src/model/scope.ts';
import { expandScopes } from '../../src/http/access/scopes.ts';
import type { SignIn } from '../../src/http/access/sign-in.ts';
import { noIntegrations, type Integrations } from '../../src/jobs/delivery/integrations.ts';
import { startService, type TestService, type TestServiceOptions } from '../helpers/app.ts';
import {
  evaluationRequest,
  listEntries,
  scheduler,
  secret,
  steps,
  takeSteps,
} from '../helpers/audited-steps.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments } from '../helpers/fixtures.ts';
import { readApi } from '../helpers/fuzz/operations.ts';
import { bindTo } from '../helpers/nightly.ts';
import { steerSearches } from '../helpers/steered-searches.ts';

/** POST requests that ask something and store nothing. */
const changingNothing = ['compareRuns', 'planPower', 'buildPool', 'searchOnce'];
/** It makes what others have steps for; test/integration/pages.test.ts shows which. */
const ofSample = ['loadSample'];
/** Where there are several tenants; test/integration/allowances.test.ts has their entries. */
const ofProvider = ['putAllowances', 'deleteAllowances'];

describe.each(databaseKinds)('the audit on %s', (kind) => {
  it('has one entry for each change that an operation makes, and none for what changes nothing', async () => {
    const searches = steerSearches('answer');
    const { app } = await start({
      databaseUrl: await createDatabase(kind),
      retrievers: searches.retrievers,
      integrations: withScheduler(),
    });
    const told = await takeSteps(app, steps, searches);

    expect(told).toEqual(steps.map(({ operation, entries }) => [operation, 'done', ...entries]));
  });

  it('cannot be changed, not even by who has the database', async () => {
    const { app, db } = await start({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/prices', { body: { currency: 'EUR' } });
    const update = db.updateTable('audit_entry').set({ actor: 'nobody' }).execute();
    const removal = db.deleteFrom('audit_entry').execute();

    await expect(update).rejects.toThrow('audit entries are neither changed nor deleted');
    await expect(removal).rejects.toThrow('audit entries are neither changed nor deleted');
    expect((await listEntries(app)).items).toMatchObject([{ actor: null, kind: 'prices' }]);
  });

  it('is never left behind: what cannot be noted is not changed', async () => {
    const { app, db } = await start({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await sql`alter table audit_entry rename to audit_entry_elsewhere`.execute(db);
    const refused = await app.inject({ method: 'DELETE', url: '/v1/corpora/pumps' });
    await sql`alter table audit_entry_elsewhere rename to audit_entry`.execute(db);

    expect(refused.statusCode).toBe(500);
    expect((await app.inject('/v1/corpora/pumps')).statusCode).toBe(200);
    expect((await listEntries(app)).items).toMatchObject([{ action: 'create', kind: 'corpus' }]);
  });

  it('says who, and by hashes from what to what', async () => {
    const { app } = await start({ databaseUrl: await createDatabase(kind), signIn });
    const url = '/v1/corpora/pumps';
    await ask(app, 'PUT', url, { body: { documents: pumpDocuments }, ...as('one anna') });
    const { contentHash: first } = await ask<Hashed>(app, 'GET', url, as('one anna'));
    await ask(app, 'PUT', url, { body: { documents: pumpDocuments.slice(1) }, ...as('one ben') });
    const { contentHash: second } = await ask<Hashed>(app, 'GET', url, as('one anna'));
    await ask(app, 'PUT', url, { body: { documents: pumpDocuments }, ...as('two cem') });
    const { items } = await listEntries(app, '', 'one anna');
    const others = await listEntries(app, '', 'two cem');

    expect(items).toMatchObject([
      { actor: 'ben', action: 'change', name: 'pumps', before: first, after: second },
      { actor: 'anna', action: 'create', name: 'pumps', before: null, after: first },
    ]);
    expect(others.items).toMatchObject([{ actor: 'cem', before: null, after: first }]);
  });

  it('goes from one content to the next without a gap when many change it at once', async () => {
    const { app } = await start({ databaseUrl: await createDatabase(kind) });
    const candidates = [1, 2, 3, 4, 5, 6, 7, 8];
    const put = (count: number) =>
      ask(app, 'PUT', '/v1/search-configurations/a', { body: { ...bm25, candidates: count } });
    await Promise.all(candidates.map(put));
    const { items } = await listEntries(app);
    const oldestFirst = items.toReversed();

    expect(oldestFirst).toHaveLength(candidates.length);
    expect(oldestFirst.map(({ before }) => before)).toEqual([
      null,
      ...oldestFirst.slice(0, -1).map(({ after }) => after),
    ]);
  });

  it('names the service where it acts by itself', async () => {
    const searches = steerSearches('answer');
    const databaseUrl = await createDatabase(kind);
    const { app, db } = await start({ databaseUrl, retrievers: searches.retrievers });
    await takeSteps(app, [...steps.slice(0, 1), ...steps.slice(5, 6), ...steps.slice(9, 10)]);
    const { id } = await evaluate(app, evaluationRequest);
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString();
    await deleteExpired(db, { days: 9, now: inTenDays, isKept: async () => false });

    expect((await listEntries(app, `?name=${id}`)).items).toMatchObject([
      { actor: 'service/retention', action: 'delete', at: inTenDays, after: null },
      { actor: null, action: 'create', before: null },
    ]);
  });

  it('lists by kind, name, actor and time, page by page', async () => {
    const times = ['2026-11-30T01:00:00.000Z', '2026-11-30T02:00:00.000Z'].values();
    const now = () => times.next().value ?? '2026-11-30T03:00:00.000Z';
    const { app } = await start({ databaseUrl: await createDatabase(kind), now, signIn });
    await ask(app, 'PUT', '/v1/search-configurations/a', { body: bm25, ...as('one anna') });
    await ask(app, 'PUT', '/v1/search-configurations/b', { body: bm25, ...as('one ben') });
    await ask(app, 'PUT', '/v1/search-configurations/c', { body: bm25, ...as('one anna') });
    const names = async (query: string) => {
      const { items } = await listEntries(app, query, 'one anna');
      return items.map(({ name }) => name);
    };
    const first = await listEntries(app, '?limit=2', 'one anna');

    expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
    expect(await names(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['a']);
    expect(await names('?kind=search-configuration')).toEqual(['c', 'b', 'a']);
    expect(await names('?kind=corpus')).toEqual([]);
    expect(await names('?name=b')).toEqual(['b']);
    expect(await names('?actor=anna')).toEqual(['c', 'a']);
    expect(await names('?since=2026-11-30T02:00:00Z')).toEqual(['c', 'b']);
    expect(await names('?until=2026-11-30T02:00:00Z')).toEqual(['a']);
  });
});

it('every operation that is not a read is known to the audit', () => {
  const changing = readApi()
    .operations.filter(({ method }) => method !== 'GET')
    .map(({ operationId }) => operationId);
  const known = [
    ...steps.map(({ operation }) => operation),
    ...changingNothing,
    ...ofProvider,
    ...ofSample,
  ];

  expect([...new Set(known)].toSorted()).toEqual(changing.toSorted());
});

it('the audit holds neither texts nor secrets', async () => {
  const searches = steerSearches('answer');
  const integrations = withScheduler();
  const { app } = await start({ retrievers: searches.retrievers, integrations });
  await takeSteps(app, steps, searches);
  const { items } = await listEntries(app, '?limit=1000');
  const shown = JSON.stringify(items);

  expect(items.length).toBeGreaterThan(20);
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain('drips');
  expect(shown).not.toContain('says it');
  expect(shown).not.toContain('fuse');
});

it('only who has the scope Admin may read the audit', async () => {
  const { app } = await start({ signIn: reader });

  expect((await app.inject('/v1/audit')).statusCode).toBe(403);
});

interface Hashed {
  readonly contentHash: string;
}

const reader: SignIn = async () => ({
  tenant: 'one',
  name: 'anna',
  scopes: expandScopes(['Read', 'Evaluate', 'Label']),
});

/** Takes `tenant name` for a token. */
const signIn: SignIn = async (authorization = '') => {
  const [tenant = '', name = ''] = authorization.split(' ');
  return { tenant, name, scopes: new Set(scopes) };
};

function as(authorization: string) {
  return { headers: { authorization } };
}

async function start(options: TestServiceOptions): Promise<TestService> {
  const service = await startService(options);
  onTestFinished(service.close);
  return service;
}

function withScheduler(): Integrations {
  const jobScheduler = bindTo(scheduler);
  return { ...noIntegrations, jobScheduler, targetPolicy: { hosts: [], allowLoopback: false } };
}
