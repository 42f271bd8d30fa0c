import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppError } from '../../errors.ts';
import { bodyType } from './media-types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether bodies of lines are held in memory until they are stored; else they are stored as they arrive. */
    readonly holdsLines?: boolean;
  }
  interface FastifyRequest {
    /** What the body of the request takes; absent: so little that it is not counted. */
    memoryShare?: MemoryShare;
  }
}

/** What one request takes of the memory that all imports share. */
interface MemoryShare {
  /** Takes as much more as a part of the body needs. Throws `unavailable` when others have it. */
  readonly grow: (bodyBytes: number) => void;
  /** Gives all of it back. May be called again. */
  readonly close: () => void;
}

/** The default for a process. */
export const usualImportMemoryBytes = 256 * 1024 * 1024;

/** A body that is parsed whole takes about this many times its size, measured on question sets and corpora. */
const heldFactor = 8;

/** What an import takes at most that is stored as it arrives, whatever its length. */
const streamedBytes = 48 * 1024 * 1024;

/** Shorter bodies are not counted: a full house must not keep anybody from small changes. */
const uncountedBytes = 64 * 1024;

const retryAfterSeconds = 5;

/**
 * Bounds the memory of bodies that are read and stored at the same time, over the whole process. A request
 * beyond the bound is refused with 503 before its body is read. One that is alone is always taken, so that
 * no limit is too small for the bodies that BODY_LIMIT_MB allows.
 */
export function boundImportMemory(app: FastifyInstance, limitBytes: number): void {
  const ledger = createLedger(limitBytes);
  app.decorateRequest('memoryShare');
  app.addHook('onRequest', async (request, reply) => {
    const length = Number(request.headers['content-length'] ?? 0);
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const isPacked = (request.headers['content-encoding'] ?? 'identity') !== 'identity';
    if (!isChunked && !isPacked && length <= uncountedBytes) return;
    const share = ledger(isHeld(request) ? Number.POSITIVE_INFINITY : streamedBytes);
    request.memoryShare = share;
    // A client that goes away gets no answer, and both can happen.
    reply.raw.once('close', share.close);
    if (isPacked) return;
    share.grow(isChunked ? request.routeOptions.bodyLimit : length);
  });
  app.addHook('onResponse', async ({ memoryShare }) => memoryShare?.close());
}

function isHeld(request: FastifyRequest): boolean {
  return (
    bodyType(request) === 'application/json' || request.routeOptions.config.holdsLines === true
  );
}

/** Opens shares of at most this many bytes each. */
function createLedger(limitBytes: number): (mostBytes: number) => MemoryShare {
  let taken = 0;
  return (mostBytes) => {
    let own = 0;
    return {
      grow(bodyBytes) {
        const wanted = Math.min(own + bodyBytes * heldFactor, mostBytes);
        const isAlone = taken === own;
        if (!isAlone && taken - own + wanted > limitBytes) throw full();
        taken += wanted - own;
        own = wanted;
      },
      close() {
        taken -= own;
        own = 0;
      },
    };
  };
}

function full(): AppError {
  const message =
    'Running imports use all the memory reserved for them (IMPORT_MEMORY_MB); try again later';
  return new AppError('unavailable', message, { details: { retryAfterSeconds } });
}
