import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Long enough for the rest of most uploads; a shutdown waits for it too. */
const maxDrainMs = 3000;

const maxDrainBytes = 256 * 1024 * 1024;

/** Whether a client may still be sending the body of its request. */
export function isStillSending(request: IncomingMessage): boolean {
  const { headers } = request;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete && !request.readableEnded && !request.destroyed;
}

/**
 * An answer that is sent at once and ends when the rest of the request was read and discarded, after 3 s and 256 MiB
 * at most. If a connection is closed while data is waiting in it, TCP resets it, and the client sees ECONNRESET
 * instead of the answer. nginx calls this `lingering_close`.
 */
export function createLingeringAnswer(text: string, request: IncomingMessage): Readable {
  return Readable.from(sendThenDrain(text, request), { objectMode: false });
}

async function* sendThenDrain(text: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
  await drain(request);
}

function drain(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!isStillSending(request)) return Promise.resolve();
  const timer = setTimeout(resolve, maxDrainMs);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxDrainBytes) resolve();
  };
  // What the route read the body with is not needed any more.
  request.unpipe();
  request.on('data', count);
  for (const event of ['end', 'close', 'error']) request.once(event, () => resolve());
  request.resume();
  return promise.finally(() => {
    clearTimeout(timer);
    request.off('data', count);
  });
}
