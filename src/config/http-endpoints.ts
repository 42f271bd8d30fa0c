import { z } from 'zod';

import { AppError } from '../errors.ts';
import type { HttpEndpoints } from '../retrieval/http-endpoints.ts';
import { tryParseJson } from '../try-parse-json.ts';

/** Names are short, and no header can end the one before. */
const Endpoints = z.record(
  z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).refine(hasNoExtras),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.string().regex(/^[\t\x20-\x7e]*$/))
      .default({}),
    tenants: z.array(z.string().min(1)).min(1).optional(),
  }),
);

const example = '{"docs":{"url":"https://search.example.com","headers":{"authorization":"…"}}}';

/**
 * Reads HTTP_SEARCH_ENDPOINTS: a JSON object of endpoints by name. Where the service has one tenant, every endpoint is open
 * to it; where it has several, an endpoint is open to those that it names. Throws an error that repeats no value.
 */
export function readHttpEndpoints(
  text = '{}',
  { hasSeveralTenants }: { readonly hasSeveralTenants: boolean },
): HttpEndpoints {
  const parsed = Endpoints.safeParse(tryParseJson(text));
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    const where = place === '' ? '' : ` (see ${place})`;
    const message = `Invalid environment: HTTP_SEARCH_ENDPOINTS: must be a JSON object of endpoints such as ${example}${where}`;
    throw new AppError('invalid-input', message);
  }
  const usual = hasSeveralTenants ? [] : ['*'];
  return new Map(
    Object.entries(parsed.data).map(([name, { tenants = usual, ...endpoint }]) => [
      name,
      { ...endpoint, tenants },
    ]),
  );
}

function hasNoExtras(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}
