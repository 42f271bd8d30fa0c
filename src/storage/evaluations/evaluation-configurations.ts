import type { BackendName } from '../../model/search-configuration.ts';
import type { Database } from '../database/database.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';

/** The corpus or run that a configuration reads, with what it held when the evaluation was made. */
export interface SearchInput {
  readonly kind: 'corpus' | 'run';
  readonly name: string;
  readonly contentHash: string;
}

export interface EvaluationConfiguration {
  readonly position: number;
  readonly name: string;
  readonly backend: BackendName;
  /** JSON: the search configuration as it was when the evaluation was made. */
  readonly body: string;
  readonly input: SearchInput | null;
}

export async function listConfigurations(
  db: Database,
  evaluationId: string,
): Promise<readonly EvaluationConfiguration[]> {
  const rows = await db
    .selectFrom('evaluation_configuration')
    .where('evaluation_id', '=', evaluationId)
    .orderBy('position')
    .selectAll()
    .execute();
  return rows.map(({ position, name, backend, body, input_kind, input_name, input_hash }) => ({
    position,
    name,
    backend,
    body,
    input:
      input_kind !== null && input_name !== null && input_hash !== null
        ? { kind: input_kind as SearchInput['kind'], name: input_name, contentHash: input_hash }
        : null,
  }));
}

/** An unfinished evaluation that searches this corpus or run, if there is one. */
export async function findUnfinishedReader(
  db: Database,
  input: Pick<SearchInput, 'kind' | 'name'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('evaluation')
    .innerJoin('evaluation_configuration', 'evaluation_id', 'evaluation.id')
    .where('status', 'in', unfinishedStatuses)
    .where('input_kind', '=', input.kind)
    .where('input_name', '=', input.name)
    .select('evaluation.id')
    .executeTakeFirst();
  return row?.id;
}
