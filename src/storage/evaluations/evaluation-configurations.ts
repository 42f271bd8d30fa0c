import { SearchConfiguration, type BackendName } from '../../model/search-configuration.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { EvaluationConfigurationTable } from '../tables/evaluation-tables.ts';
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
  /** As it was when the evaluation was made. */
  readonly configuration: SearchConfiguration;
  /** The same as stored. */
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
  return rows.map(toConfiguration);
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

function toConfiguration(row: EvaluationConfigurationTable): EvaluationConfiguration {
  const { evaluation_id, position, name, body, input_kind, input_name, input_hash } = row;
  const place = { table: 'evaluation_configuration', column: 'body' } as const;
  let configuration: SearchConfiguration | undefined;
  return {
    position,
    name,
    backend: row.backend,
    get configuration() {
      const id = `${evaluation_id}/${position}`;
      return (configuration ??= parseStored(SearchConfiguration, body, { ...place, row: id }));
    },
    body,
    input:
      input_kind !== null && input_name !== null && input_hash !== null
        ? { kind: input_kind as SearchInput['kind'], name: input_name, contentHash: input_hash }
        : null,
  };
}
