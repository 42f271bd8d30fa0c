import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The most that is read of an answer's body, unpacked. */
export const answerBytes = {
  /** Many times what 15 filters with 100 chunks each bring. */
  search: 16 * 2 ** 20,
  /** Tokens, keys that tokens are checked with, destinations. */
  credentials: 2 ** 20,
} as const;

/** What all requests of one piece of work may take together. */
export interface OutgoingLimits {
  /** Milliseconds, from the start of the work until its last answer was read. */
  readonly totalMs: number;
  /** Bytes of one answer's body. */
  readonly bytes: number;
}

/** An answer that is not taken. The message continues "The host …" and repeats nothing of the answer. */
export class OutgoingLimitError extends Error {
  override readonly name = 'OutgoingLimitError';
  /** Of a redirect. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Does work whose HTTP requests are made by a library that follows redirects, or reads answers of any size.
 * Requests that the work sends by `node:http` and `node:https` ask for an answer that is not compressed. The
 * work is cut off, with all of its requests, by the first redirect, by an answer that is compressed or too
 * large, and when the time is up. Throws OutgoingLimitError, or what the work throws.
 */
export async function underOutgoingLimits<Value>(
  limits: OutgoingLimits,
  work: () => Promise<Value>,
): Promise<Value> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const scope = createScope(limits, reject);
  const stopTimer = scope.startTimer();
  try {
    return await Promise.race([scopes.run(scope, work), broken]);
  } finally {
    stopTimer();
  }
}

interface Scope {
  readonly watch: (request: ClientRequest) => void;
  /** Ends everything when the time is up, unless it is stopped before. */
  readonly startTimer: () => () => void;
}

const scopes = new AsyncLocalStorage<Scope>();

subscribe('http.client.request.created', (message) => {
  scopes.getStore()?.watch((message as { readonly request: ClientRequest }).request);
});

function createScope(
  { bytes: most, totalMs }: OutgoingLimits,
  reject: (error: Error) => void,
): Scope {
  const open = new Set<ClientRequest>();
  let issue: OutgoingLimitError | undefined;

  function fail(error: OutgoingLimitError): void {
    if (issue) return;
    issue = error;
    reject(error);
    // The reader of an answer listens by then, and gets the error.
    setImmediate(() => open.forEach((request) => request.destroy(error)));
  }

  function startTimer(): () => void {
    const timeUp = () => fail(new OutgoingLimitError(`did not respond within ${totalMs} ms`));
    const timer = setTimeout(timeUp, totalMs).unref();
    return () => clearTimeout(timer);
  }

  return {
    watch(request) {
      if (issue) {
        request.destroy(issue);
        return;
      }
      open.add(request);
      // A library may send one that the work does not wait for.
      const stopTimer = startTimer();
      request.once('close', () => {
        stopTimer();
        open.delete(request);
      });
      request.setHeader('accept-encoding', 'identity');
      request.prependOnceListener('response', (response: IncomingMessage) => {
        const refused = findRefusal(response);
        if (refused) fail(refused);
        boundBody(response, most, () => {
          fail(new OutgoingLimitError(`sent more than ${most} bytes`));
        });
      });
    },
    startTimer,
  };
}

function findRefusal({ statusCode = 0, headers }: IncomingMessage): OutgoingLimitError | undefined {
  if (statusCode >= 300 && statusCode < 400) return refuseRedirect(statusCode);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return undefined;
  return new OutgoingLimitError('sent a compressed response, which was not requested');
}

function refuseRedirect(status: number): OutgoingLimitError {
  return new OutgoingLimitError(
    `responded with a redirect (HTTP ${status}), which is not followed`,
    status,
  );
}

/** Counts bytes as the parser passes them on, so that the caller still reads the body. */
function boundBody(response: IncomingMessage, most: number, onExcess: () => void): void {
  const push = response.push.bind(response);
  let bytes = 0;
  response.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    bytes += chunk?.length ?? 0;
    if (bytes <= most) return push(chunk, encoding);
    onExcess();
    return false;
  };
}
