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
    const message = `The body must be ${consumes.join(' or ')}, not ${type}`;
    throw new AppError('unsupported-media-type', message);
  });
}

/** The media type of the body, without parameters. */
export function bodyType(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

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

/** Refuses a body of another type than a format is made of. */
export function requireBodyType(request: FastifyRequest, format: string, type: string): void {
  if (bodyType(request) === type) return;
  throw new AppError('unsupported-media-type', `A body in ${format} format must be ${type}`);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
