import { z } from 'zod';

import { AppError } from '../errors.ts';
import type { SqlSource } from '../retrieval/sql-sources.ts';
import { tryParseJson } from '../try-parse-json.ts';

const Sources = z.record(
  z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  z.strictObject({
    url: z.url({ protocol: /^postgres(ql)?$/ }),
    tenants: z.array(z.string().min(1)).min(1).optional(),
  }),
);

const example = '{"docs":{"url":"postgres://reader:…@db.example.com/docs?sslmode=verify-full"}}';

/**
 * Reads SQL_SEARCH_SOURCES: a JSON object of databases by name. Where the service has one tenant, every database is open
 * to it; where it has several, a database is open to those that it names. Throws an error that repeats no value.
 */
export function readSqlSources(
  text = '{}',
  { hasSeveralTenants }: { readonly hasSeveralTenants: boolean },
): ReadonlyMap<string, SqlSource> {
  const parsed = Sources.safeParse(tryParseJson(text));
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    const where = place === '' ? '' : ` (see ${place})`;
    const message = `Invalid environment: SQL_SEARCH_SOURCES: must be a JSON object of databases such as ${example}${where}`;
    throw new AppError('invalid-input', message);
  }
  const usual = hasSeveralTenants ? [] : ['*'];
  return new Map(
    Object.entries(parsed.data).map(([name, { url, tenants = usual }]) => [name, { url, tenants }]),
  );
}
