import type { Database } from '../../storage/database/database.ts';
import { insertKnownTenant, isKnownTenant } from '../../storage/database/known-tenants.ts';
import { underStartLock } from '../../storage/database/start-lock.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { loadSample, type SampleReaders } from './load-sample.ts';

/** Resolves when the tenant has what ships with the service. */
export type ProvisionTenant = (tenant: string) => Promise<void>;

/** Tenants that a process remembers to have seen. */
const remembered = 10_000;

/**
 * Gives each tenant the sample when it first comes, once, on however many instances it comes at a time. A
 * tenant that deletes it does not get it again.
 */
export function createTenantProvisioning(
  store: Database,
  { readers, now }: { readonly readers: SampleReaders; readonly now: () => string },
): ProvisionTenant {
  const provisionings = new Map<string, Promise<void>>();
  // One at a time: each waiting caller holds a connection, and the one with the lock needs a second.
  let last: Promise<unknown> = Promise.resolve();

  async function provision(tenant: string): Promise<void> {
    const db = scopeToTenant(store, tenant);
    if (await isKnownTenant(db)) return;
    const turn = last.then(() => underStartLock(store, () => give(db)));
    last = turn.catch(() => undefined);
    await turn;
  }

  async function give(db: Database): Promise<void> {
    if (await isKnownTenant(db)) return;
    await loadSample(db, readers, now());
    await insertKnownTenant(db, now());
  }

  return (tenant) => {
    const known = provisionings.get(tenant);
    if (known) return known;
    const next = provision(tenant);
    provisionings.set(tenant, next);
    next.catch(() => provisionings.delete(tenant));
    const [oldest] = provisionings.keys();
    if (provisionings.size > remembered && oldest !== undefined) provisionings.delete(oldest);
    return next;
  };
}
