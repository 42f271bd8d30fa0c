import type { SqlConfiguration } from '../../../model/sql-search.ts';
import type { ConfigurationIssue } from '../../ai-core/configuration-issue.ts';
import { parseStatement, StatementError } from './parse-statement.ts';

/** What is wrong with a statement, found before it is run. */
export function findConfigurationIssues({
  statement,
}: SqlConfiguration): readonly ConfigurationIssue[] {
  try {
    parseStatement(statement);
    return [];
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    return [{ path: ['statement'], message: error.message }];
  }
}
