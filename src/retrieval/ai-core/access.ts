import xssec from '@sap/xssec';
import {
  getDestination,
  type HttpDestination,
  isHttpDestination,
} from '@sap-cloud-sdk/connectivity';

import type { Allowances } from '../../model/allowances.ts';
import { explainRefusals, findWayRefusal, type AiCoreWay } from '../allowances.ts';
import { answerBytes, OutgoingLimitError, underOutgoingLimits } from '../outgoing-limits.ts';
import { SearchFailure } from '../search-failure.ts';
import { explainToken } from './explain-token.ts';
import type { Clock } from '../resilience/clock.ts';
import type { ServiceKey } from './service-key.ts';

/** The way to AI Core, with a token that is fetched once and shared by all calls. */
export interface SharedAccess {
  /** `name`: a destination; without one the service key leads to AI Core. */
  readonly resolve: (name: string | undefined) => Promise<HttpDestination>;
  /** Forgets a destination whose token was refused, so that the next search gets another one. */
  readonly drop: (name: string | undefined, refused: HttpDestination) => void;
}

/** The same as one tenant may use it. Everything that calls AI Core has this one. */
export interface AiCoreAccess extends Pick<SharedAccess, 'drop'> {
  /** Throws SearchFailure where the tenant may not use the resource group by that way. */
  readonly resolve: (way: AiCoreWay) => Promise<HttpDestination>;
  readonly allowances: Allowances;
}

export interface AccessOptions {
  readonly serviceKey: ServiceKey | undefined;
  readonly clock: Clock;
  /** The time a token may take, where it is not a destination's. */
  readonly timeoutMs: number;
  /** An idle connection is kept this long at least. */
  readonly socketTimeoutMs: number;
}

interface OpenAccess {
  readonly destination: HttpDestination;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

interface Opening {
  readonly access: Promise<OpenAccess>;
  /** Once it is open. */
  destination?: HttpDestination;
}

/** How long before its end a token is replaced, so that no search starts with one about to end. */
const leewayMs = 60_000;
/** Where nothing says how long a token is good for. */
const shortLifeMs = 5 * 60_000;

export function createSharedAccess(options: AccessOptions): SharedAccess {
  const { clock } = options;
  const opened = new Map<string | undefined, Opening>();

  function open(name: string | undefined): Opening {
    const start = name === undefined ? openByKey(options) : openByDestination(name, options);
    const opening: Opening = { access: start };
    opened.set(name, opening);
    start.then(
      (access) => (opening.destination = access.destination),
      // A failure is not kept: the next search tries again.
      () => forget(name, opening),
    );
    return opening;
  }

  function forget(name: string | undefined, opening: Opening): void {
    if (opened.get(name) === opening) opened.delete(name);
  }

  return {
    async resolve(name) {
      const opening = opened.get(name) ?? open(name);
      const access = await opening.access;
      if (access.expiresAt > clock.now()) return access.destination;
      forget(name, opening);
      return (await (opened.get(name) ?? open(name)).access).destination;
    },
    drop(name, refused) {
      const opening = opened.get(name);
      if (opening?.destination === refused) forget(name, opening);
    },
  };
}

/**
 * A resource group holds the documents of somebody, and a destination credentials for some system: whoever
 * writes a search configuration must not choose among them all.
 */
export function restrictAccess(shared: SharedAccess, allowances: Allowances): AiCoreAccess {
  return {
    allowances,
    drop: shared.drop,
    async resolve(way) {
      const refusal = findWayRefusal(way, allowances);
      if (!refusal) return shared.resolve(way.destination);
      const message = explainRefusals([refusal], allowances);
      throw new SearchFailure('destination', message);
    },
  };
}

async function openByKey({
  serviceKey,
  clock,
  timeoutMs,
  socketTimeoutMs,
}: AccessOptions): Promise<OpenAccess> {
  if (!serviceKey) {
    throw new SearchFailure('destination', 'No service key of AI Core is configured');
  }
  const asked = clock.now();
  const { access_token: token, expires_in: seconds } = await fetchToken(serviceKey, timeoutMs);
  if (typeof token !== 'string') throw explainToken(undefined, serviceKey.url);
  const destination: HttpDestination = {
    url: serviceKey.serviceurls.AI_API_URL,
    authentication: 'OAuth2ClientCredentials',
    authTokens: [
      {
        value: token,
        type: 'bearer',
        expiresIn: String(seconds),
        error: null,
        http_header: { key: 'Authorization', value: `Bearer ${token}` },
      },
    ],
  };
  return { destination: keepAlive(destination, socketTimeoutMs), expiresAt: toEnd(asked, seconds) };
}

async function fetchToken(serviceKey: ServiceKey, timeout: number) {
  try {
    const service = new xssec.XsuaaService(serviceKey as never, { requests: { timeout } });
    const limits = { totalMs: timeout, bytes: answerBytes.credentials };
    return await underOutgoingLimits(limits, () => service.fetchClientCredentialsToken());
  } catch (cause) {
    throw explainToken(cause, serviceKey.url);
  }
}

async function openByDestination(
  name: string,
  { clock, timeoutMs, socketTimeoutMs }: AccessOptions,
): Promise<OpenAccess> {
  const asked = clock.now();
  // A token for the destination service, then the destination.
  const limits = { totalMs: 2 * timeoutMs, bytes: answerBytes.credentials };
  const found = await underOutgoingLimits(limits, () =>
    getDestination({ destinationName: name, useCache: false }),
  ).catch((cause: unknown) => {
    const isLimit = cause instanceof OutgoingLimitError;
    const reason = isLimit ? `: one of them ${cause.message}` : '';
    const message = `Could not read destination '${name}': the destination service, its binding or its token endpoint failed${reason}`;
    throw new SearchFailure('token', message, { cause, ...(isLimit && { status: cause.status }) });
  });
  if (!found || !isHttpDestination(found)) {
    const message = `HTTP destination '${name}' does not exist. Create it in this subaccount with the AI API URL, and bind the destination service`;
    throw new SearchFailure('destination', message);
  }
  const issue = found.authTokens?.find(({ error }) => error)?.error;
  if (issue) {
    const message = `Destination '${name}' returns no token: check its client id, client secret and token service URL`;
    throw new SearchFailure('token', message, { status: 401 });
  }
  const seconds = Math.min(...(found.authTokens ?? []).map(({ expiresIn }) => Number(expiresIn)));
  return { destination: keepAlive(found, socketTimeoutMs), expiresAt: toEnd(asked, seconds) };
}

function toEnd(asked: number, seconds: number | undefined): number {
  const lifeMs = Number(seconds) * 1000;
  if (!Number.isFinite(lifeMs) || lifeMs <= 0) return asked + shortLifeMs;
  return asked + Math.max(lifeMs / 2, lifeMs - leewayMs);
}

function keepAlive(destination: HttpDestination, timeout: number): HttpDestination {
  return {
    ...destination,
    agentOptions: { ...destination.agentOptions, keepAlive: true, timeout },
  };
}
