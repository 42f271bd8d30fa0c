import { NotFoundError } from '../../errors.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import { findPrices, insertPrices } from '../../storage/catalog/prices.ts';
import { hashCanonical } from '../../model/hash-content.ts';
import { stateOfPrices } from './entity-states.ts';
import { noPrecondition, type Precondition } from './precondition.ts';
import type { Prices, PriceTable } from '../../model/prices.ts';

/** Makes a new version of the price table, unless the latest says the same. */
export async function savePrices(
  db: Database,
  prices: Prices,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<{ readonly table: PriceTable; readonly isNew: boolean }> {
  const contentHash = hashCanonical(prices);
  return db.transaction().execute(async (trx) => {
    // Versions are numbered consecutively.
    await lockCatalog(trx, 'exclusive');
    const latest = await findPrices(trx);
    precondition(latest && stateOfPrices(latest));
    if (latest?.contentHash === contentHash) return { table: latest, isNew: false };
    const table = { version: (latest?.version ?? 0) + 1, contentHash, createdAt: now, prices };
    await insertPrices(trx, table);
    const hashes = { before: latest?.contentHash ?? null, after: contentHash };
    await recordChange(trx, { at: now, kind: 'prices', name: 'prices', ...hashes });
    return { table, isNew: true };
  });
}

export async function getPrices(db: Database, version?: number): Promise<PriceTable> {
  const table = await findPrices(db, version);
  if (!table) throw new NotFoundError('Price table', `${version ?? 'latest'}`);
  return table;
}
