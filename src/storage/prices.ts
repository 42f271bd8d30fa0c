import type { Database } from './database.ts';
import type { PriceTableTable } from './tables.ts';

/** What things cost. What has no price here has an unknown one, which is not 0. */
export interface Prices {
  /** ISO 4217. */
  readonly currency: string;
  readonly perSearch?: number | undefined;
  readonly perRerankedPair?: number | undefined;
  /** On top of what the tokens cost. */
  readonly perModelCall?: number | undefined;
  readonly models?: Readonly<Record<string, ModelPrices>> | undefined;
}

export interface ModelPrices {
  readonly per1000PromptTokens: number;
  readonly per1000CompletionTokens: number;
}

/** A price table. Versions are immutable, so that a figure can name what it was reckoned with. */
export interface PriceTable {
  readonly version: number;
  readonly contentHash: string;
  readonly createdAt: string;
  readonly prices: Prices;
}

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
  return {
    version,
    contentHash: content_hash,
    createdAt: created_at,
    prices: JSON.parse(body) as Prices,
  };
}
