import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';

import { readHeapBytes } from './heap.ts';
import { createAnswerCheck, learnFrom, type AnswerCheck, type GivenAnswer } from './answers.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { readApi } from './operations.ts';
import { requestsOf, type FuzzRequest } from './requests.ts';

/** Longest that an answer may take beyond the two seconds that a request may ask to wait. */
const maxMs = 15_000;

/** Requests that are under way at a time. */
const together = 4;

const perBlock = 200;

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Brings back what requests deleted. Also called before the first block. */
  readonly restore: (known: KnownValues) => Promise<void>;
}

export interface FuzzReport {
  /** Each kind of fault once for an operation, with the request that first showed it. */
  readonly faults: readonly string[];
  /** Of each operation, how many answers had which status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** What the heap holds after a collection, in the middle and at the end. */
  readonly heapBytes: { readonly middle: number; readonly end: number };
}

/** Sends requests of all operations of the document in turn, and holds each answer against it. */
export async function runFuzz(app: FastifyInstance, options: FuzzOptions): Promise<FuzzReport> {
  const api = readApi();
  const known = createKnownValues();
  const check = createAnswerCheck(api);
  const values = { components: api.components, known };
  const requests = fc.oneof(...api.operations.map((operation) => requestsOf(operation, values)));
  const faults = new Map<string, string>();
  const statuses = new Map<string, Map<number, number>>();
  let middle = 0;
  for (let sent = 0; sent < options.requests; sent += perBlock) {
    await options.restore(known);
    if (middle === 0 && sent * 2 >= options.requests) middle = readHeapBytes();
    const numRuns = Math.min(perBlock, options.requests - sent);
    const block = fc.sample(requests, { seed: options.seed + sent, numRuns });
    const queue = block.values();
    const worker = async () => {
      for (const request of queue) {
        const answer = await answerTo(app, request);
        note({ request, answer, check, known, faults, statuses });
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
  }
  const heapBytes = { middle, end: readHeapBytes() };
  return { faults: [...faults.values()], statuses, heapBytes };
}

async function answerTo(app: FastifyInstance, request: FuzzRequest): Promise<GivenAnswer | string> {
  const { method, url, headers, body } = request;
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`takes longer than ${maxMs} ms`), maxMs);
  const asked = app
    .inject({ method, url, headers, ...(body && { payload: body }) })
    .catch((error: unknown) => `breaks off: ${String(error)}`);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function note(seen: {
  readonly request: FuzzRequest;
  readonly answer: GivenAnswer | string;
  readonly check: AnswerCheck;
  readonly known: KnownValues;
  readonly faults: Map<string, string>;
  readonly statuses: Map<string, Map<number, number>>;
}): void {
  const { request, answer, faults } = seen;
  const { operation } = request;
  const found = typeof answer === 'string' ? [answer] : seen.check(operation, answer);
  for (const fault of found) {
    const key = `${operation.operationId} ${fault}`;
    if (!faults.has(key)) faults.set(key, `${key}\n${write(request, answer)}`);
  }
  if (typeof answer === 'string') return;
  if (found.length === 0) learnFrom(answer, seen.known);
  const counts = seen.statuses.get(operation.operationId) ?? new Map<number, number>();
  counts.set(answer.statusCode, (counts.get(answer.statusCode) ?? 0) + 1);
  seen.statuses.set(operation.operationId, counts);
}

/** The request as it can be sent again, and what came back. */
function write(request: FuzzRequest, answer: GivenAnswer | string): string {
  const { method, url, headers, body } = request;
  const shown = body === undefined ? '' : `\n  ${JSON.stringify(body.toString('latin1'))}`;
  const came = typeof answer === 'string' ? answer : `${answer.statusCode} ${answer.body}`;
  return `  ${method} ${url} ${JSON.stringify(headers)}${shown}\n  → ${came}`.slice(0, 4000);
}
