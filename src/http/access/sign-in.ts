import { errors, XsuaaService, XsuaaToken } from '@sap/xssec';
import { z } from 'zod';

import { AppError } from '../../errors.ts';
import {
  answerBytes,
  OutgoingLimitError,
  underOutgoingLimits,
} from '../../retrieval/outgoing-limits.ts';
import { userName } from '../../schemas/user-name.ts';
import { localTenant } from '../../storage/database/tenant-scope.ts';
import { scopes, type Scope } from '../../model/scope.ts';
import type { Principal } from './principal.ts';
import { expandScopes } from './scopes.ts';
import type { XsuaaBinding } from './xsuaa-binding.ts';

/**
 * Tells by the Authorization header who sends a request. Rejects with `unauthenticated` or `sign-in-unavailable`.
 * `limitUnauthenticated` is asked before keys are fetched for a zone from which no true token has come yet; where it
 * rejects, nothing is fetched.
 */
export type SignIn = (
  authorization: string | undefined,
  limitUnauthenticated: () => Promise<void>,
) => Promise<Principal>;

/** Without sign-in everybody may do everything, and all that is stored has one owner. */
export function createOpenSignIn(): SignIn {
  const everybody = { tenant: localTenant, name: null, scopes: new Set(scopes) };
  return async () => everybody;
}

/** A signed token in the compact form of RFC 7515: three parts, and nothing behind the signature. */
const compactToken = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i;

/** Tokens of XSUAA are smaller, and what is larger need not be looked at. */
const maxTokenLength = 16 * 1024;

/** What fetching the keys may take that tokens are checked with. */
const keyLimits = { totalMs: 10_000, bytes: answerBytes.credentials };

/** Number of zones whose keys are cached, after a valid token of that zone. */
const maxZones = 1000;

/**
 * A token names its zone before anybody knows that it is true: zones that forged tokens name have a place of
 * their own, so that they push no other out.
 */
const maxUnprovenZones = 100;

/** Takes tokens that XSUAA issued for this service, signed with a key that it publishes. */
export function createXsuaaSignIn(binding: XsuaaBinding): SignIn {
  const { clientId: clientid, appName: xsappname, domain: uaadomain, onlyZone } = binding;
  const { providerZone } = binding;
  const proven = createZones(maxZones);
  const unproven = createZones(maxUnprovenZones);

  async function check(token: XsuaaToken, zone: string, limitUnauthenticated: () => Promise<void>) {
    const known = proven.find(zone);
    if (!known && zone !== onlyZone) await limitUnauthenticated();
    const service =
      known ?? unproven.find(zone) ?? new XsuaaService({ clientid, xsappname, uaadomain });
    if (!known) unproven.keep(zone, service);
    await underOutgoingLimits(keyLimits, () => service.createSecurityContext(token));
    proven.keep(zone, service);
  }

  return async (authorization, limitUnauthenticated) => {
    const jwt = compactToken.exec(authorization ?? '')?.[1] ?? '';
    if (jwt === '' || jwt.length > maxTokenLength) throw refusal();
    try {
      const token = new XsuaaToken(jwt);
      const zone = Zone.parse(token.zid);
      if (onlyZone !== undefined && zone !== onlyZone) throw refusal();
      await check(token, zone, limitUnauthenticated);
      return toPrincipal(Claims.parse(token.payload), { zone, xsappname, providerZone });
    } catch (error) {
      throw toAppError(error);
    }
  };
}

interface Zones {
  readonly find: (zone: string) => XsuaaService | undefined;
  /** Lets go of the one that was not kept for longest, when there are too many. */
  readonly keep: (zone: string, service: XsuaaService) => void;
}

function createZones(most: number): Zones {
  const services = new Map<string, XsuaaService>();
  return {
    find: (zone) => services.get(zone),
    keep(zone, service) {
      services.delete(zone);
      services.set(zone, service);
      const [oldest] = services.keys();
      if (services.size > most && oldest !== undefined) services.delete(oldest);
    },
  };
}

/** `local` is the owner of what is stored without sign-in, and no zone. */
const Zone = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/)
  .refine((zone) => zone !== localTenant);

const Claims = z.object({
  cid: userName(256),
  grant_type: z.string(),
  user_name: userName(256).optional(),
  scope: z.array(z.string()).default([]),
});

function toPrincipal(
  { cid, grant_type: grantType, user_name: user, scope }: z.infer<typeof Claims>,
  {
    zone,
    xsappname,
    providerZone,
  }: {
    readonly zone: string;
    readonly xsappname: string;
    readonly providerZone: string | undefined;
  },
): Principal {
  const isUser = grantType !== 'client_credentials' && user !== undefined;
  // Administrators of every zone can assign every role, but only those of the provider's make operators.
  const granted = scopes.filter(
    (local: Scope) =>
      scope.includes(`${xsappname}.${local}`) && (local !== 'Operate' || zone === providerZone),
  );
  return { tenant: zone, name: isUser ? user : `client/${cid}`, scopes: expandScopes(granted) };
}

/** Does not say what was wrong: that would help forgers as well as owners of tokens. */
function refusal(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'A valid bearer token is required', { cause });
}

/** A token that is so wrong that checking it fails is refused like any other that is wrong. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isUnreachable = error instanceof errors.NetworkError || error instanceof OutgoingLimitError;
  if (!isUnreachable) return refusal(error);
  const message = 'Tokens cannot be verified at the moment; try again later';
  return new AppError('sign-in-unavailable', message, { cause: error });
}
