import { z } from 'zod';

import type { DatabaseAddress } from '../storage/database/database.ts';

const Text = z.string().min(1);

const Credentials = z.object({
  hostname: Text,
  port: z.coerce.number().int().min(1).max(65_535),
  dbname: Text,
  username: Text,
  password: Text,
  sslrootcert: Text.optional(),
});

const Bindings = z.object({
  'postgresql-db': z.array(z.object({ credentials: z.unknown() })).optional(),
});

/**
 * The PostgreSQL of VCAP_SERVICES, if one is bound. It is spoken to over TLS alone, and must show a certificate
 * for its name: of the binding's authority, or a public one where the binding brings none. Throws a TypeError
 * that repeats no value.
 */
export function findBoundDatabase(
  services: string | undefined,
): Required<DatabaseAddress> | undefined {
  if (services === undefined || services === '') return undefined;
  const bound = Bindings.safeParse(parseJson(services)).data?.['postgresql-db']?.[0];
  if (!bound) return undefined;
  const parsed = Credentials.safeParse(bound.credentials);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new TypeError(`the binding of postgresql-db: ${place} is missing or has the wrong type`);
  }
  const { hostname, port, dbname, username, password, sslrootcert } = parsed.data;
  // Not the binding's `uri`: its parameters could say how far certificates are checked.
  const url = new URL(`postgres://${hostname}:${port}/`);
  url.username = encodeURIComponent(username);
  url.password = encodeURIComponent(password);
  url.pathname = encodeURIComponent(dbname);
  return { url: url.href, tls: { ca: sslrootcert } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new TypeError('is not JSON');
  }
}
