import { STATUS_CODES } from 'node:http';

import { z } from 'zod';

/** What an error of the HTTP client contains. */
export interface HttpErrorFacts {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly response?: z.infer<typeof Response> | undefined;
}

/** The HTTP client's error, which the SDK wraps, in some cases twice. */
export function findHttpError(error: unknown, depth = 0): HttpErrorFacts {
  const { code, response, cause, message } = HttpError.parse(error);
  if (response || code !== undefined || cause === undefined || depth > 5) {
    return { code, response, message };
  }
  return findHttpError(cause, depth + 1);
}

/** A header by its lower-case name. */
export function findHeader(headers: unknown, name: string): unknown {
  return (headers as Readonly<Record<string, unknown>> | undefined)?.[name];
}

/** SAP's name of a request, from the headers of its answer. */
export function findRequestId(headers: unknown): string | undefined {
  const names = ['x-request-id', 'x-correlationid', 'x-correlation-id', 'x-vcap-request-id'];
  const ids = names.map((name) => findHeader(headers, name));
  return ids.find((id): id is string => typeof id === 'string' && id !== '' && id.length <= 200);
}

/** As `403 Forbidden`. */
export function nameStatus(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

/** The host of a URL, without what may be private in it. */
export function toHost(url: string): string {
  return URL.parse(url)?.host ?? '(no URL)';
}

const Response = z.object({
  status: z.number(),
  data: z.unknown().optional(),
  headers: z
    .custom<object>((value) => typeof value === 'object')
    .optional()
    .catch(undefined),
});

const HttpError = z
  .object({
    code: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    response: Response.optional().catch(undefined),
    cause: z.unknown().optional(),
  })
  .catch({});
