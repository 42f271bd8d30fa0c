import type { JsonValue } from '../../../model/http-search.ts';
import { noCost } from '../../../model/outcome.ts';
import type { SqlConfiguration } from '../../../model/sql-search.ts';
import { rankInOrder } from '../../ai-core/rank-documents.ts';
import { spareCallers } from '../../ai-core/spare-callers.ts';
import { assertClaimHeld } from '../../claim.ts';
import { findUser } from '../../find-user.ts';
import { inSpan } from '../../in-span.ts';
import { createCircuitBreaker } from '../../resilience/circuit-breaker.ts';
import { callWithRetries } from '../../resilience/retry.ts';
import { toRetrieverError } from '../../search-failure.ts';
import { truncateHits } from '../../truncate-hits.ts';
import type { RetrieveOptions, Retriever } from '../../retriever.ts';
import { toFailure } from './explain-failure.ts';
import {
  parseStatement,
  type ParsedStatement,
  type StatementParameter,
} from './parse-statement.ts';
import { readRows } from './read-rows.ts';
import type { SqlQuery, SqlRows } from './sql-client.ts';
import type { SqlConnection, SqlDatabase } from './sql-connection.ts';

/** Searches with one SELECT in a database. */
export function createSqlRetriever(
  configuration: SqlConfiguration,
  database: SqlDatabase,
  { clock, timeoutMs, attempts }: Omit<SqlConnection, 'findDatabase'>,
): Retriever {
  const { source, columns } = configuration;
  const statement = parseStatement(configuration.statement);
  const { client, gate } = database;
  const stop = createCircuitBreaker();
  const totalMs = attempts * timeoutMs;

  async function send(query: SqlQuery, signal: AbortSignal, onSend: () => void): Promise<SqlRows> {
    const place = await gate.acquire(signal);
    let outcome: Parameters<typeof place.release>[0] = 'failed';
    let isSent = false;
    try {
      await assertClaimHeld();
      onSend();
      isSent = true;
      const rows = await inSpan(
        'statement of an SQL search',
        { attributes: {}, isCall: true },
        () => client.select(query, { timeoutMs, signal }),
      );
      outcome = 'answered';
      return rows;
    } catch (error) {
      signal.throwIfAborted();
      // The right to send it was lost.
      if (!isSent) throw error;
      const failure = toFailure(source, error, timeoutMs);
      if (failure.isOverload) outcome = 'overloaded';
      throw failure;
    } finally {
      place.release(outcome);
    }
  }

  return {
    spareCallers,
    async retrieve(question, asked) {
      const { signal } = asked;
      signal.throwIfAborted();
      const query = toQuery(statement, toValues(configuration, question, asked));
      const start = performance.now();
      let sent = 0;
      try {
        const retries = { attempts, totalMs, pausedUntil: gate.pausedUntil, stop, clock, signal };
        const rows = await callWithRetries(() => send(query, signal, () => (sent += 1)), retries);
        const hits = truncateHits(rankInOrder(readRows(columns, rows, source)), asked);
        const latencyMs = performance.now() - start;
        return { hits, cost: { ...noCost, searches: 1, attempts: sent, latencyMs } };
      } catch (error) {
        throw toRetrieverError(error, sent);
      }
    },
  };
}

type Values = Readonly<Record<StatementParameter, JsonValue>>;

function toValues(
  { users, filters = null }: SqlConfiguration,
  question: string,
  { depth, user }: RetrieveOptions,
): Values {
  return {
    question,
    depth,
    filters: filters === null ? null : JSON.stringify(filters),
    user: user === undefined ? null : toParameter(findUser(users, user)),
  };
}

function toParameter(value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Each parameter is sent once, however often the statement names it. */
function toQuery({ texts, parameters }: ParsedStatement, values: Values): SqlQuery {
  const names = [...new Set(parameters)];
  const [first = '', ...others] = texts;
  const text = others.reduce(
    (before, after, index) =>
      `${before}$${names.indexOf(parameters[index] as StatementParameter) + 1}${after}`,
    first,
  );
  return { text, values: names.map((name) => values[name]) };
}
