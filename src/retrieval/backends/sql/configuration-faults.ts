import type { SqlConfiguration } from '../../../model/sql-search.ts';
import type { ConfigurationFault } from '../../ai-core/configuration-fault.ts';
import { parseStatement, StatementError } from './parse-statement.ts';

/** What is wrong with a statement, found before it is run. */
export function findConfigurationFaults({
  statement,
}: SqlConfiguration): readonly ConfigurationFault[] {
  try {
    parseStatement(statement);
    return [];
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    return [{ path: ['statement'], message: error.message }];
  }
}
