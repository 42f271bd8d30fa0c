import { AppError, type InputError } from '../../errors.ts';
import { explainRefusals, listRefusals } from '../../retrieval/allowances.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { findAllowances } from '../../storage/catalog/allowances.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import {
  findSearchConfiguration,
  readSearchConfiguration,
} from '../../storage/catalog/search-configurations.ts';
import type { NamedConfiguration } from '../../model/evaluation-request.ts';

/** A configuration and where a request has it. */
export interface PlacedConfiguration {
  readonly configuration: SearchConfiguration;
  readonly pointer: string;
  /** The name by which the request refers to it; absent: it is written there. */
  readonly storedAs?: string | undefined;
}

/** Throws `not-allowed`, with a pointer for each place, where a configuration uses what its tenant may not use. */
export async function refuseDisallowed(
  db: Database,
  placed: readonly PlacedConfiguration[],
): Promise<void> {
  const allowances = await findAllowances(db);
  const errors = placed.flatMap(({ configuration, pointer, storedAs }): readonly InputError[] =>
    listRefusals(configuration, allowances).map(({ path, detail }) =>
      storedAs === undefined
        ? { pointer: [pointer, ...path].join('/'), detail }
        : { pointer, detail: `search configuration '${storedAs}': ${detail}` },
    ),
  );
  if (errors.length === 0) return;
  throw new AppError('not-allowed', explainRefusals(errors, allowances), { details: { errors } });
}

/** The same for configurations of an evaluation that was stored when more may have been allowed. */
export async function refuseDisallowedNow(
  db: Database,
  configurations: readonly Pick<EvaluationConfiguration, 'name' | 'configuration'>[],
): Promise<void> {
  const allowances = await findAllowances(db);
  const refusals = configurations.flatMap(({ name, configuration }) =>
    listRefusals(configuration, allowances).map(({ detail }) => ({
      detail: `configuration '${name}': ${detail}`,
    })),
  );
  if (refusals.length === 0) return;
  throw new AppError('not-allowed', explainRefusals(refusals, allowances));
}

/** The same for what a request will search later. Configurations that are not stored yet are left out. */
export async function refuseDisallowedReferences(
  db: Database,
  references: readonly (string | NamedConfiguration)[],
  pointer: string,
): Promise<void> {
  const placed: PlacedConfiguration[] = [];
  for (const [position, reference] of references.entries()) {
    const at = `${pointer}/${position}`;
    if (typeof reference !== 'string') placed.push({ configuration: reference, pointer: at });
    else placed.push(...(await findStored(db, reference, at)));
  }
  await refuseDisallowed(db, placed);
}

async function findStored(
  db: Database,
  storedAs: string,
  pointer: string,
): Promise<readonly PlacedConfiguration[]> {
  const stored = await findSearchConfiguration(db, storedAs);
  if (!stored) return [];
  return [{ configuration: readSearchConfiguration(stored), pointer, storedAs }];
}
