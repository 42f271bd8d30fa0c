import pg from 'pg';

import { SearchFailure } from '../../search-failure.ts';

/** Why a statement failed. Names the database and the SQLSTATE: messages of servers may repeat the question. */
export function toFailure(source: string, error: unknown, timeoutMs: number): SearchFailure {
  if (error instanceof SearchFailure) return error;
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  if (code !== undefined) return explainState(source, code, { error, timeoutMs });
  const isLate = error instanceof Error && /timeout/i.test(error.message);
  if (isLate) {
    const message = `Database '${source}' did not take a connection within ${timeoutMs} ms`;
    return new SearchFailure('timeout', message, { cause: error });
  }
  const message = `Database '${source}' cannot be reached or closed the connection. Check its URL in SQL_SEARCH_SOURCES`;
  return new SearchFailure('network', message, { cause: error });
}

function explainState(
  source: string,
  code: string,
  { error, timeoutMs }: { readonly error: unknown; readonly timeoutMs: number },
): SearchFailure {
  const start = `Database '${source}' failed with SQLSTATE ${code}`;
  if (code === '57014') {
    const message = `Database '${source}' did not end the statement within ${timeoutMs} ms; SEARCH_TIMEOUT_MS sets how long a search may take`;
    return new SearchFailure('timeout', message, { cause: error });
  }
  if (/^(?:08|40|53|57)/.test(code)) {
    return new SearchFailure('network', `${start}: it is not ready, or has too much to do`, {
      cause: error,
    });
  }
  // Data that cannot be computed with: of one question, and no issue of the others.
  if (code.startsWith('22')) {
    return new SearchFailure(
      'answer',
      `${start}: the statement cannot compute with this question`,
      {
        cause: error,
      },
    );
  }
  return new SearchFailure('destination', `${start}. ${adviseOnState(code)}`, { cause: error });
}

function adviseOnState(code: string): string {
  if (code.startsWith('28')) return 'Check the user and password in SQL_SEARCH_SOURCES';
  if (code === '42501') return 'The user of the database may not read what the statement reads';
  if (code.startsWith('25')) return 'A search may only read';
  if (code.startsWith('3D')) return 'Check the name of the database in SQL_SEARCH_SOURCES';
  return 'Check the statement: run it with psql';
}
