import type { FastifyRequest } from 'fastify';

import type { Scope } from '../../model/scope.ts';

/** Who sends a request, as far as the service is concerned. */
export interface Principal {
  /** Whose data the request is about: the zone of the token; `local` without sign-in. */
  readonly tenant: string;
  /** The user, or the client that speaks for none; null without sign-in. */
  readonly name: string | null;
  readonly scopes: ReadonlySet<Scope>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The one thing that requests are decorated with. Null on routes that are open to all. */
    principal: Principal | null;
  }
}

/** The sender of a request to a route that is not open. */
export function getPrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (!principal) {
    throw new TypeError('A route without authentication requested the tenant of the request');
  }
  return principal;
}
