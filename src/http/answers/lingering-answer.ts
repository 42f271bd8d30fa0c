import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
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

/** The same for a connection whose data is no request: sends an answer as it is, and reads on as long at most. */
export function endLingering(socket: Socket, answer: string): void {
  // What comes now would be parsed again, or complete a request that was refused.
  socket.removeAllListeners('data');
  socket.end(answer);
  void discard(socket).then(() => socket.destroy());
}

function drain(request: IncomingMessage): Promise<void> {
  if (!isStillSending(request)) return Promise.resolve();
  // What the route read the body with is not needed any more.
  request.unpipe();
  return discard(request);
}

/** Reads to the end, within the limits, and keeps nothing. */
function discard(source: Readable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxDrainMs);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxDrainBytes) resolve();
  };
  source.on('data', count);
  for (const event of ['end', 'close', 'error']) source.once(event, () => resolve());
  source.resume();
  return promise.finally(() => {
    clearTimeout(timer);
    source.off('data', count);
  });
}
