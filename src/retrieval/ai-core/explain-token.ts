import { z } from 'zod';

import { tryParseJson } from '../../try-parse-json.ts';
import { OutgoingLimitError } from '../outgoing-limits.ts';
import { SearchFailure } from '../search-failure.ts';
import { nameStatus, toHost } from './http-error.ts';
import { readSapError } from './sap-error.ts';

/** A token that could not be fetched. `cause` is what @sap/xssec threw, or the limit that its answer broke; undefined: the answer held no token. */
export function explainToken(cause: unknown, url: string): SearchFailure {
  if (cause instanceof OutgoingLimitError) {
    const message = `The token endpoint ${toHost(url)} ${cause.message}`;
    return new SearchFailure('token', message, { status: cause.status, cause });
  }
  const { responseCode: status, responseText, name, message } = XssecError.parse(cause);
  const host = toHost(url);
  if (status === undefined) {
    const timedOut = name === 'TimeoutError';
    const reason = timedOut
      ? 'did not respond in time'
      : 'could not be reached or returned no token';
    const code = /\b(E[A-Z]{4,}|CERT_[A-Z_]+)\b/.exec(message ?? '')?.[0];
    const hint = code === undefined ? '' : ` (${code})`;
    return new SearchFailure('token', `The token endpoint ${host} ${reason}${hint}`, { cause });
  }
  const advice =
    status >= 400 && status < 500 && status !== 429
      ? 'rejected the credentials. The client id and secret of the service key or binding are unknown there: they may be rotated, deleted, or from another subaccount'
      : 'failed';
  const sap = readSapError(tryParseJson(responseText ?? '')).message;
  const said = sap === undefined ? '' : `. It says: "${sap}"`;
  return new SearchFailure(
    'token',
    `The token endpoint ${host} ${advice}${said} (HTTP ${nameStatus(status)})`,
    {
      status,
      cause,
    },
  );
}

const XssecError = z
  .object({
    responseCode: z.number().optional().catch(undefined),
    responseText: z.string().optional().catch(undefined),
    name: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
  })
  .catch({});
