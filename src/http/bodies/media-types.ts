import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppError, InvalidInputError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of the body; JSON unless said otherwise. */
    readonly consumes?: readonly string[];
  }
}

/** Refuses a body of a media type that the route does not read, before it is read. */
export function refuseOtherMediaTypes(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { consumes = ['application/json'] } = request.routeOptions.config;
    if (request.routeOptions.config.consumes && !hasBody(request)) {
      const errors = [{ pointer: '/body', detail: 'is missing' }];
      throw new InvalidInputError('The request has no body', errors);
    }
    const type = bodyType(request);
    if (type === undefined || !hasBody(request) || consumes.includes(type)) return;
    const message = `The body must be ${consumes.join(' or ')}, not ${type}${hintFor(type, consumes)}`;
    throw new AppError('unsupported-media-type', message);
  });
}

/**
 * Refuses a request whose `Accept` no answer of the route meets, before anything is done. `?format=` decides
 * in place of the header.
 */
export function refuseUnmetAccept(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const { accept } = request.headers;
    const isAsked = accept !== undefined && request.url.startsWith('/v1/');
    if (!isAsked || request.method === 'DELETE' || hasFormat(request.query)) return;
    const offered = producedTypes(request.routeOptions.schema?.response);
    if (offered[0] !== undefined) negotiate(request, [offered[0], ...offered.slice(1)]);
  });
}

/** What a route answers with when it succeeds: what its description lists, else JSON. */
function producedTypes(responses: unknown): readonly string[] {
  const success = Object.entries(isRecord(responses) ? responses : {}).filter(([status]) =>
    status.startsWith('2'),
  );
  const types = success.flatMap(([, response]) =>
    isRecord(response) && isRecord(response['content'])
      ? Object.keys(response['content'])
      : ['application/json'],
  );
  return [...new Set(types)];
}

function hasFormat(query: unknown): boolean {
  return isRecord(query) && query['format'] !== undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The media type of the body, without parameters. */
export function bodyType(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/** CSV as it is answered. */
export const csvType = 'text/csv; charset=utf-8';

/** The first of the offered types that the client accepts. */
export function negotiate<Type extends string>(
  request: FastifyRequest,
  offered: readonly [Type, ...(readonly Type[])],
): Type {
  const type = request.accepts().type([...offered]);
  const found = offered.find((offer) => offer === type);
  if (found) return found;
  throw new AppError('not-acceptable', `Available as ${offered.join(' or ')}`);
}

/** The media types of bodies that hold a file of a form that its content decides. */
export const fileTypes = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'application/octet-stream',
] as const;

/** Refuses JSON for a format that is made of lines. */
export function requireTextBody(request: FastifyRequest, format: string): void {
  if (bodyType(request) !== 'application/json') return;
  const message = `A body in ${format} format must be application/x-ndjson`;
  throw new AppError('unsupported-media-type', message);
}

/** What `curl` sends by default. */
const formType = 'application/x-www-form-urlencoded';
const workbookType = /spreadsheet|ms-excel/;

function hintFor(type: string, consumes: readonly string[]): string {
  if (type === formType) return "; curl sends this by itself: add -H 'content-type: …'";
  const isWorkbook = workbookType.test(type) && consumes.includes('text/csv');
  return isWorkbook ? '; save the table as CSV and send it as text/csv' : '';
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
