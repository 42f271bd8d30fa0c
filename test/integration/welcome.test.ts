import { describe, expect, it } from 'vitest';

import { createTenantProvisioning } from '../../src/evaluation/tenants/provision-tenant.ts';
import { sampleReaders } from '../../src/schemas/sample.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { createSender } from '../helpers/tenants.ts';
import { createTestSignIn, zoneA, zoneB } from '../helpers/tokens.ts';

const provisionTenant = (db: Database) =>
  createTenantProvisioning(db, { readers: sampleReaders, now: () => '2026-11-30T06:00:00.000Z' });
const set = '/v1/question-sets/sample';

describe.each(databaseKinds)('a tenant that comes for the first time, on %s', (kind) => {
  it('finds the sample, whatever it asks for first and however often at once', async () => {
    const databaseUrl = await createDatabase(kind);
    const signIn = await createTestSignIn();
    const apps = await Promise.all(
      // A SQLite file has one process.
      (kind === 'sqlite' ? [0] : [0, 1]).map(() =>
        createTestApp({ databaseUrl, signIn, provisionTenant }),
      ),
    );
    const zones = [zoneA, zoneB];
    const senders = await Promise.all(
      apps.flatMap((app) => zones.map((zone) => createSender(app, { zone }))),
    );
    const asked = senders.flatMap((send) => Array.from({ length: 5 }, () => send({ url: set })));
    const answers = await Promise.all(asked);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(1);
    const versions = await senders[0]?.({ url: `${set}/versions` });
    expect(versions?.json<{ items: unknown[] }>().items).toHaveLength(1);
  });

  it('does not get back what it deletes', async () => {
    const databaseUrl = await createDatabase(kind);
    const signIn = await createTestSignIn();
    const first = await startService({ databaseUrl, signIn, provisionTenant });
    const send = await createSender(first.app);
    const deleted = await send({ method: 'DELETE', url: set });
    await send({ method: 'DELETE', url: '/v1/corpora/sample' });
    await first.close();
    const restarted = await createTestApp({ databaseUrl, signIn, provisionTenant });
    const again = await createSender(restarted);

    expect(deleted.statusCode).toBe(204);
    expect((await again({ url: set })).statusCode).toBe(404);
  });

  it('gets nothing while it is refused', async () => {
    const databaseUrl = await createDatabase(kind);
    let welcomed = 0;
    const count = () => async () => void (welcomed += 1);
    const signIn = await createTestSignIn();
    const app = await createTestApp({ databaseUrl, signIn, provisionTenant: count });
    const powerless = await createSender(app, { scopes: [] });
    await powerless({ url: set });
    await app.inject(set);
    await powerless({ url: '/v1/nothing' });

    expect(welcomed).toBe(0);
  });
});
