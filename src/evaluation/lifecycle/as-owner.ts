import type { Database } from '../../storage/database/database.ts';
import { findOwner } from '../../storage/evaluations/evaluations-of-all-tenants.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';

/** Works on an evaluation as its tenant. Does nothing when it was deleted. */
export async function asOwner(
  db: Database,
  evaluationId: string,
  work: (own: Database) => Promise<unknown>,
): Promise<void> {
  const tenant = await findOwner(db, evaluationId);
  if (tenant !== undefined) await work(scopeToTenant(db, tenant));
}
