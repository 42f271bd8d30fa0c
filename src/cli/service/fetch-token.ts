import { z } from 'zod';

import { CommandError, exitCodes } from '../exit-codes.ts';
import { unreachable } from './unreachable.ts';

/** A service key of XSUAA, as it is or as the Cloud Foundry command line wraps it. */
const Credentials = z.object({
  url: z.url(),
  clientid: z.string().min(1),
  clientsecret: z.string().min(1),
});
const ServiceKey = z.union([
  Credentials,
  z.object({ credentials: Credentials }).transform(({ credentials }) => credentials),
]);
const Token = z.object({ access_token: z.string().min(1) });

/** Gets a token with the client credentials of a service key. Neither is in any message. */
export async function fetchToken(serviceKey: string): Promise<string> {
  const { url, clientid, clientsecret } = parseServiceKey(serviceKey);
  const endpoint = `${url.replace(/\/+$/, '')}/oauth/token`;
  const credentials = Buffer.from(`${clientid}:${clientsecret}`).toString('base64');
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch((cause: unknown) => {
    throw unreachable(endpoint, cause);
  });
  const token = Token.safeParse(await response.json().catch(() => undefined));
  if (response.ok && token.success) return token.data.access_token;
  const message = `${new URL(url).origin} refused the client credentials of the service key (status ${response.status})`;
  throw new CommandError(message, exitCodes.notReached);
}

function parseServiceKey(text: string): z.infer<typeof Credentials> {
  try {
    return ServiceKey.parse(JSON.parse(text));
  } catch {
    // Messages of parsers quote the text, which holds the secret.
    throw new CommandError(
      '--service-key: is not an XSUAA service key with url, clientid and clientsecret',
    );
  }
}
