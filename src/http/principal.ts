import type { FastifyInstance } from 'fastify';

import { localTenant } from '../storage/tenant-scope.ts';

/** Who sends a request, as far as the service is concerned. */
export interface Principal {
  /** Whose data the request is about: the zone of the token; `local` without sign-in. */
  readonly tenant: string;
  /** The user, or the client that speaks for none; null without sign-in. */
  readonly name: string | null;
  readonly scopes: ReadonlySet<Scope>;
}

export const scopes = ['Read', 'Evaluate', 'Label', 'Admin', 'JOBSCHEDULER'] as const;
export type Scope = (typeof scopes)[number];

declare module 'fastify' {
  interface FastifyRequest {
    /** The one thing that requests are decorated with. */
    principal: Principal;
  }
}

const local: Principal = { tenant: localTenant, name: null, scopes: new Set(scopes) };

/** Without sign-in everybody may do everything, and all that is stored has one owner. */
export function setPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request) => {
    request.principal = local;
  });
}
