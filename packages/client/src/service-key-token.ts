import { ServiceError } from './service-error.ts';

/** What `cf service-key` shows of an XSUAA instance, with or without `credentials` around it. */
export interface ServiceKey {
  readonly url: string;
  readonly clientid: string;
  readonly clientsecret: string;
}

/** A token is replaced that long before it expires. */
const earlyMs = 60_000;

/** Gets tokens with the client credentials of a service key, each once for all requests while it is valid. */
export function createTokenOfServiceKey(
  key: ServiceKey | { readonly credentials: ServiceKey },
  fetchToken: typeof fetch,
): () => Promise<string> {
  const { url, clientid, clientsecret } = 'credentials' in key ? key.credentials : key;
  let current: Promise<IssuedToken> | undefined;

  async function issue(): Promise<IssuedToken> {
    const startedAt = Date.now();
    const response = await fetchToken(`${url.replace(/\/+$/, '')}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientid,
        client_secret: clientsecret,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok || !isTokenAnswer(body)) {
      const origin = new URL(url).origin;
      throw new ServiceError(response.status, `${origin} issued no token (${response.status})`);
    }
    const validMs = (body.expires_in ?? 0) * 1000;
    return { token: body.access_token, replaceAt: startedAt + validMs - earlyMs };
  }

  return async () => {
    const seen = current;
    const known = await seen?.catch(() => undefined);
    if (known && Date.now() < known.replaceAt) return known.token;
    // Another request may have sent for a token meanwhile.
    const latest = current !== undefined && current !== seen ? current : (current = issue());
    return (await latest).token;
  };
}

interface IssuedToken {
  readonly token: string;
  readonly replaceAt: number;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in?: number;
}

function isTokenAnswer(body: unknown): body is TokenAnswer {
  if (typeof body !== 'object' || body === null || !('access_token' in body)) return false;
  return typeof body.access_token === 'string';
}
