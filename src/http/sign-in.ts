import { errors, XsuaaService, XsuaaToken } from '@sap/xssec';
import { z } from 'zod';

import { AppError } from '../errors.ts';
import { localTenant } from '../storage/tenant-scope.ts';
import { scopes, type Principal, type Scope } from './principal.ts';
import { expandScopes } from './scopes.ts';
import type { XsuaaBinding } from './xsuaa-binding.ts';

/** Tells by the Authorization header who sends a request. Rejects with `unauthenticated` or `sign-in-unavailable`. */
export type SignIn = (authorization: string | undefined) => Promise<Principal>;

/** Without sign-in everybody may do everything, and all that is stored has one owner. */
export function createOpenSignIn(): SignIn {
  const everybody = { tenant: localTenant, name: null, scopes: new Set(scopes) };
  return async () => everybody;
}

/** Tokens of XSUAA are smaller, and what is larger need not be looked at. */
const longestToken = 16 * 1024;

/** Zones whose keys are kept at a time. A token names its zone before anybody knows that it is true. */
const mostZones = 1000;

/** Takes tokens that XSUAA issued for this service, signed with a key that it publishes. */
export function createXsuaaSignIn(binding: XsuaaBinding): SignIn {
  const { clientId: clientid, appName: xsappname, domain: uaadomain, onlyZone } = binding;
  const services = new Map<string, XsuaaService>();

  function findService(zone: string): XsuaaService {
    const service = services.get(zone) ?? new XsuaaService({ clientid, xsappname, uaadomain });
    services.delete(zone);
    services.set(zone, service);
    const [oldest] = services.keys();
    if (services.size > mostZones && oldest !== undefined) services.delete(oldest);
    return service;
  }

  return async (authorization) => {
    const jwt = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (jwt === '' || jwt.length > longestToken) throw refusal();
    try {
      const token = new XsuaaToken(jwt);
      const zone = Zone.parse(token.zid);
      if (onlyZone !== undefined && zone !== onlyZone) throw refusal();
      await findService(zone).createSecurityContext(token);
      return toPrincipal(Claims.parse(token.payload), { zone, xsappname });
    } catch (error) {
      throw toFault(error);
    }
  };
}

/** `local` is the owner of what is stored without sign-in, and no zone. */
const Zone = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/)
  .refine((zone) => zone !== localTenant);

const Claims = z.object({
  cid: z.string().min(1).max(256),
  grant_type: z.string(),
  user_name: z.string().min(1).max(256).optional(),
  scope: z.array(z.string()).default([]),
});

function toPrincipal(
  { cid, grant_type: grantType, user_name: user, scope }: z.infer<typeof Claims>,
  { zone, xsappname }: { readonly zone: string; readonly xsappname: string },
): Principal {
  const isUser = grantType !== 'client_credentials' && user !== undefined;
  const granted = scopes.filter((local: Scope) => scope.includes(`${xsappname}.${local}`));
  return { tenant: zone, name: isUser ? user : `client/${cid}`, scopes: expandScopes(granted) };
}

/** Says nothing of what was wrong: only the owner of a token would be helped, and whoever forges one. */
function refusal(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'A valid bearer token is needed', { cause });
}

/** A token that is so wrong that checking it fails is refused like any other that is wrong. */
function toFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof errors.NetworkError)) return refusal(error);
  const message = 'Tokens cannot be checked just now; try again';
  return new AppError('sign-in-unavailable', message, { cause: error });
}
