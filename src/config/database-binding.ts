import { z } from 'zod';

import type { DatabaseAddress } from '../storage/database/database.ts';
import { findCredentials } from './service-bindings.ts';

const Text = z.string().min(1);

const Credentials = z.object({
  hostname: Text,
  port: z.coerce.number().int().min(1).max(65_535),
  dbname: Text,
  username: Text,
  password: Text,
  sslrootcert: Text.optional(),
});

/**
 * The PostgreSQL of VCAP_SERVICES, if one is bound. It is spoken to over TLS alone, and must show a certificate
 * for its name: from the binding's authority, or from a public one if the binding has none. Throws a TypeError
 * that repeats no value.
 */
export function findBoundDatabase(
  services: string | undefined,
): Required<DatabaseAddress> | undefined {
  const found = findCredentials(services, 'postgresql-db', Credentials);
  if (!found) return undefined;
  const { hostname, port, dbname, username, password, sslrootcert } = found;
  // Not the binding's `uri`: its parameters could say how far certificates are checked.
  const url = new URL(`postgres://${hostname}:${port}/`);
  url.username = encodeURIComponent(username);
  url.password = encodeURIComponent(password);
  url.pathname = encodeURIComponent(dbname);
  return { url: url.href, tls: { ca: sslrootcert } };
}
