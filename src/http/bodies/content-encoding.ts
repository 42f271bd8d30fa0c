import { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

import type { FastifyInstance, RequestPayload } from 'fastify';

import { AppError, InvalidInputError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a compressed body is unpacked by, until the answer is sent. */
    unpacking?: {
      readonly packed: Readable;
      readonly gunzip: Gunzip;
      readonly unpacked: Readable;
    };
  }
}

/**
 * Unpacks bodies that say `Content-Encoding: gzip` as they arrive. Every limit counts unpacked bytes, so
 * that a small body that unpacks to a huge one is refused like any other that is too large.
 */
export function acceptGzip(app: FastifyInstance): void {
  app.decorateRequest('unpacking');
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || encoding === '') return payload;
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      const message = `The body must be sent uncompressed or as gzip, not as ${encoding}`;
      throw new AppError('unsupported-media-type', message);
    }
    const packed = payload as Readable;
    const gunzip = createGunzip();
    const unpacked = unpack(packed, gunzip, (bytes) => request.memoryShare?.grow(bytes));
    request.unpacking = { packed, gunzip, unpacked };
    return unpacked;
  });
  app.addHook('onResponse', async ({ unpacking }) => {
    if (!unpacking) return;
    const { packed, gunzip, unpacked } = unpacking;
    unpacked.destroy();
    // Nobody may have begun to read.
    packed.unpipe(gunzip);
    gunzip.destroy();
    // A connection is of use again only when the refused rest of a body was read.
    packed.resume();
  });
}

function unpack(
  packed: Readable,
  gunzip: Gunzip,
  count: (bytes: number) => void,
): RequestPayload & Readable {
  // Without `pipeline`: an error here must not end the connection that the answer has to take.
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  const unpacked: RequestPayload & Readable = Readable.from(chunksOf(gunzip, count), {
    objectMode: false,
  });
  // Readers get the error. A route that refuses the request before it reads, or stops halfway, leaves
  // no reader, and an error event without a listener ends the process.
  for (const stream of [gunzip, unpacked]) stream.on('error', () => undefined);
  // Fastify holds this against the Content-Length.
  Object.defineProperty(unpacked, 'receivedEncodedLength', { get: () => gunzip.bytesWritten });
  return unpacked;
}

async function* chunksOf(gunzip: Gunzip, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      count(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    const detail = 'is not valid gzip';
    throw new InvalidInputError(`The body ${detail}`, [{ pointer: '/body', detail }], cause);
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
