import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { PriceTableTable } from '../tables/tables.ts';
import { Prices, type PriceTable } from '../../model/prices.ts';

/** The latest, or the one of that version. */
export async function findPrices(db: Database, version?: number): Promise<PriceTable | undefined> {
  const row = await db
    .selectFrom('price_table')
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .orderBy('version', 'desc')
    .selectAll()
    .limit(1)
    .executeTakeFirst();
  return row && toPriceTable(row);
}

export async function insertPrices(
  db: Database,
  { version, contentHash, createdAt, prices }: PriceTable,
): Promise<void> {
  await db
    .insertInto('price_table')
    .values({
      version,
      content_hash: contentHash,
      created_at: createdAt,
      body: JSON.stringify(prices),
    })
    .execute();
}

function toPriceTable({ version, content_hash, created_at, body }: PriceTableTable): PriceTable {
  const place = { table: 'price_table', column: 'body', row: `${version}` } as const;
  return {
    version,
    contentHash: content_hash,
    createdAt: created_at,
    prices: parseStored(Prices, body, place),
  };
}
