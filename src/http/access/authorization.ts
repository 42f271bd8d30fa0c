import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import { AppError } from '../../errors.ts';
import { type Access, accessByOperation, listScopes } from './scopes.ts';
import type { Principal } from './principal.ts';
import type { SignIn } from './sign-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

/**
 * Routes without an operation: the description of the service, the files of its pages, and metrics, which have a
 * guard of their own.
 */
const openPaths = /^\/(openapi\.json|docs(\/.*)?|metrics|ui(\/\*)?)?$/;

/**
 * Has every route that is registered from now on answer only whom the table of scopes lets in. A route that
 * the table does not know is refused at once.
 */
export function guardRoutes(
  app: FastifyInstance,
  signIn: SignIn,
  limitUnauthenticated: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access = findAccess(route);
    route.config = { ...route.config, access };
    // Fastify adds a HEAD route to each GET route. Both share one schema, which must be described only once.
    if (route.method === 'HEAD' || openPaths.test(route.url)) return;
    if (route.schema) describeAccess(route.schema, access);
  });
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (request.is404 || access === 'open') return;
    try {
      request.principal = await signIn(request.headers.authorization, () =>
        limitUnauthenticated(request, reply),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') {
        const { name } = error.cause instanceof Error ? error.cause : error;
        request.log.info({ reason: name }, 'token rejected');
        reply.header('www-authenticate', 'Bearer');
      }
      throw error;
    }
    refuseWithoutScope(request, access);
  });
}

function findAccess({ schema, url, method }: RouteOptions): Access {
  if (openPaths.test(url)) return 'open';
  const operation = schema?.operationId ?? '';
  if (Object.hasOwn(accessByOperation, operation)) return accessByOperation[operation] ?? 'Admin';
  throw new TypeError(
    `No scope is defined for operation '${operation}' (${String(method)} ${url}); add it to src/http/access/scopes.ts`,
  );
}

interface DescribedSchema {
  description?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
}

function describeAccess(schema: DescribedSchema, access: Access): void {
  const needed = access === 'open' ? [] : listScopes(access);
  schema.security = needed.flatMap((scope) => [{ bearer: [scope] }, { oauth2: [scope] }]);
  const names = needed.map((scope) => `\`${scope}\``).join(' or ');
  const need = access === 'open' ? 'No authentication required.' : `Requires the scope ${names}.`;
  schema.description = [schema.description, need].filter((part) => part !== undefined).join(' ');
}

function refuseWithoutScope({ principal, log }: FastifyRequest, access: Access | undefined): void {
  if (access !== undefined && access !== 'open' && isGranted(access, principal)) return;
  log.info({ needs: access }, 'missing required scope');
  throw new AppError('forbidden', 'The token lacks the required scope');
}

function isGranted(access: Exclude<Access, 'open'>, principal: Principal | null): boolean {
  return listScopes(access).some((scope) => principal?.scopes.has(scope));
}
