import { z } from 'zod';

import { DeliveryError } from './delivery-error.ts';
import { sendExpectingSuccess } from './send-text.ts';

/** What a service of SAP BTP gives to get tokens with. */
export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TokenSource {
  /** A token that is still good for a minute. Rejects with a DeliveryError. */
  readonly get: (signal: AbortSignal) => Promise<string>;
  /** Forgets the token, because it was refused. */
  readonly drop: () => void;
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().min(0).default(0),
});

/** Gets tokens by client credentials, and keeps each for as long as it is good. */
export function createTokenSource(
  { tokenUrl, clientId, clientSecret }: ClientCredentials,
  now: () => string,
): TokenSource {
  let kept: { readonly token: string; readonly goodUntil: number } | undefined;
  const basic = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
  const headers = {
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  return {
    async get(signal) {
      if (kept && kept.goodUntil > Date.parse(now())) return kept.token;
      const url = new URL(tokenUrl);
      const body = 'grant_type=client_credentials';
      const answer = await fetchToken({ method: 'POST', url, headers, body, signal });
      const goodUntil = Date.parse(now()) + (answer.expires_in - 60) * 1000;
      kept = { token: answer.access_token, goodUntil };
      return kept.token;
    },
    drop() {
      kept = undefined;
    },
  };
}

async function fetchToken(
  request: Parameters<typeof sendExpectingSuccess>[0],
): Promise<z.infer<typeof TokenAnswer>> {
  try {
    const { body } = await sendExpectingSuccess(request);
    return TokenAnswer.parse(JSON.parse(body));
  } catch (cause) {
    const why = cause instanceof DeliveryError ? cause.message : 'The response contains no token';
    throw new DeliveryError(`Could not get a token: ${why}`, { cause });
  }
}
