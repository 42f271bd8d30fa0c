import type { TokenSource } from './client-token.ts';
import { sendText, toFailure, type OutgoingRequest } from './send-text.ts';

/** Sends JSON to a bound service. Rejects with a DeliveryError for anything but a 2xx. */
export async function sendWithToken(
  tokens: TokenSource,
  outgoing: Omit<OutgoingRequest, 'headers'>,
): Promise<void> {
  const token = await tokens.get(outgoing.signal);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await sendText({ ...outgoing, headers });
  if (status === 401) tokens.drop();
  const failure = toFailure(status);
  if (failure) throw failure;
}
