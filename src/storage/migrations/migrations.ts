import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

import { AppError } from '../../errors.ts';
import { createAllowanceTable } from './allowance-migration.ts';
import { createAuditTable } from './audit-migration.ts';
import { createBatchTables } from './batch-migration.ts';
import { createCorrelationTable } from './correlation-migration.ts';
import type { Database } from '../database/database.ts';
import { createDraftTables } from './draft-migration.ts';
import { createDiagnosisSearchTable, createPriceTable } from './funnel-migration.ts';
import {
  createBaselineTable,
  createGateDecisionTable,
  createNightDifferenceTable,
} from './gate-migration.ts';
import { createInitialTables } from './initial-migration.ts';
import { createNightlyTables } from './nightly-migration.ts';
import { addOutcomeNotes } from './outcome-notes-migration.ts';
import { addPipelineTrace } from './pipeline-migration.ts';
import { addRankingLength } from './ranking-length-migration.ts';
import { createRefusalTable } from './refusals-migration.ts';
import { createScoreTable } from './score-migration.ts';
import { addRunNotes } from './run-notes-migration.ts';
import {
  addAuthors,
  createKnownTenantTable,
  givePricesToTenants,
  giveRowsToTenants,
} from './tenant-migration.ts';
import { createSittingTables } from './sitting-migration.ts';
import { countBegunWork } from './work-in-hand-migration.ts';

/**
 * Brings the schema up to date. Safe when several processes start together: the migrator takes a lock. Throws
 * `conflict` when a newer version of the service has been here.
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // What is developed side by side does not land in the order of its names.
    allowUnorderedMigrations: true,
  });
  await refuseNewerSchema(db);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database schema could not be brought up to date', { cause: error });
  }
}

/** What the schema lacks: an older state of the database was restored under a running service. */
export async function listMissingMigrations(db: Database): Promise<readonly string[]> {
  const done = new Set(await listDone(db));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

async function refuseNewerSchema(db: Database): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const unknown = (await listDone(db)).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  const message = `The database was created by a newer version of the service: this version does not know ${unknown.join(', ')}. Deploy that version, or restore an earlier backup`;
  throw new AppError('conflict', message);
}

async function listDone(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** By name, in the order in which they run. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: createInitialTables },
  '0002-outcome-notes': { up: addOutcomeNotes },
  '0010-evaluation-batches': { up: createBatchTables },
  '0020-baselines': { up: createBaselineTable },
  '0020-gates': { up: createGateDecisionTable },
  '0020-trends': { up: createNightDifferenceTable },
  '0030-nightly': { up: createNightlyTables },
  '0040-tenants': { up: giveRowsToTenants },
  '0041-authors': { up: addAuthors },
  '0041-correlations': { up: createCorrelationTable },
  '0042-known-tenants': { up: createKnownTenantTable },
  '0045-audit': { up: createAuditTable },
  '0050-pipelines': { up: addPipelineTrace },
  '0060-prices': { up: createPriceTable },
  '0060-searches-for-diagnosis': { up: createDiagnosisSearchTable },
  '0065-price-owners': { up: givePricesToTenants },
  '0070-drafts': { up: createDraftTables },
  '0110-refusals': { up: createRefusalTable },
  '0130-ranking-lengths': { up: addRankingLength },
  '0120-allowances': { up: createAllowanceTable },
  '0110-work-in-hand': { up: countBegunWork },
  '0140-run-notes': { up: addRunNotes },
  '0140-sittings': { up: createSittingTables },
  '0150-scores': { up: createScoreTable },
};
