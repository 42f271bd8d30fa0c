import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import type { AiCoreStubOptions } from './ai-core-stub-options.ts';
import { answerRequest, type StubService } from './answer-request.ts';
import { type ChooseFault, createFaultChooser } from './fault-rule.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { createRateLimiter } from './rate-limit.ts';
import { readRequest } from './read-request.ts';
import { sendAnswer, sendHalf } from './send-answer.ts';
import type { StubAnswer } from './stub-answer.ts';
import { createStubCounter, type StubCounter, type StubCounters } from './stub-counters.ts';
import type { RecordedRequest, StubRequest } from './stub-request.ts';

type Behaviour = Pick<AiCoreStubOptions, 'faults' | 'latencyMs' | 'rateLimit'>;

export interface Served {
  readonly requests: readonly RecordedRequest[];
  readonly counters: StubCounters;
  /** Gives up every answer that is still waited for. */
  readonly stop: () => void;
}

/** Answers what comes to a server, with the faults and delays that are wished for. */
export function serveRequests(server: Server, service: StubService, behaviour: Behaviour): Served {
  const counter = createStubCounter();
  const requests: RecordedRequest[] = [];
  const stopped = new AbortController();
  const sockets = new WeakMap<Socket, number>();
  const chooseFault = createRefusal(behaviour);
  server.on('connection', (socket) => sockets.set(socket, counter.countSocket()));
  server.on('request', (message, response) => {
    const serveOne = async () => {
      const request = await takeIn(message, counter, sockets.get(message.socket) ?? 0);
      const exchange = startExchange(request, response, { counter, requests });
      const signal = AbortSignal.any([stopped.signal, exchange.gone]);
      const fault = chooseFault(request);
      const latencyMs = chooseLatency(request, behaviour);
      await answer(exchange, {
        fault,
        latencyMs,
        signal,
        reply: () => answerRequest(service, request),
      });
    };
    serveOne().catch((error: unknown) => fail(response, error));
  });
  return { requests, counters: counter.counters, stop: () => stopped.abort() };
}

function createRefusal({ faults: wished = [], rateLimit }: Behaviour): ChooseFault {
  const chooseFault = createFaultChooser(wished);
  if (!rateLimit) return chooseFault;
  const admit = createRateLimiter(rateLimit, () => performance.now());
  const refusal = faults.tooManyRequests(rateLimit.retryAfterSeconds ?? 1);
  return (request) => {
    if (request.question !== undefined && !admit()) return refusal;
    return chooseFault(request);
  };
}

function chooseLatency(request: StubRequest, { latencyMs = 0 }: Behaviour): number {
  if (request.question === undefined) return 0;
  return typeof latencyMs === 'number' ? latencyMs : latencyMs(request);
}

async function takeIn(
  message: IncomingMessage,
  counter: StubCounter,
  socket: number,
): Promise<StubRequest> {
  const read = await readRequest(message);
  counter.countRequest(read.endpoint);
  const { resourceGroup, question } = read;
  const attempt = question === undefined ? 1 : counter.startSearch(resourceGroup, question);
  return { ...read, socket, attempt };
}

/** A request and what became of it. */
interface Exchange {
  readonly request: StubRequest;
  readonly response: ServerResponse;
  /** Aborted when the connection ends before the answer. */
  readonly gone: AbortSignal;
  /** Notes the end before the answer is sent, so that whoever has the answer finds it noted. */
  end(outcome: { readonly status: number | null; readonly answered: boolean }): void;
}

function startExchange(
  request: StubRequest,
  response: ServerResponse,
  { counter, requests }: { readonly counter: StubCounter; readonly requests: RecordedRequest[] },
): Exchange {
  const record: { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] } = {
    ...request,
    status: null,
  };
  requests.push(record);
  const gone = new AbortController();
  let hasEnded = false;
  const exchange: Exchange = {
    request,
    response,
    gone: gone.signal,
    end({ status, answered }) {
      if (hasEnded) return;
      hasEnded = true;
      record.status = status;
      const { resourceGroup, question } = request;
      if (question !== undefined) counter.endSearch({ resourceGroup, question, answered });
    },
  };
  response.once('close', () => {
    if (hasEnded) return;
    exchange.end({ status: null, answered: false });
    gone.abort();
  });
  return exchange;
}

interface Reply {
  readonly fault: Fault | undefined;
  readonly latencyMs: number;
  readonly signal: AbortSignal;
  readonly reply: () => StubAnswer;
}

async function answer(
  exchange: Exchange,
  { fault, latencyMs, signal, reply }: Reply,
): Promise<void> {
  const { request, response } = exchange;
  if (fault?.type === 'hang') return;
  if (fault?.type === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const given = fault?.type === 'answer' ? fault : reply();
  const delayMs = fault?.type === 'slow' ? latencyMs + fault.delayMs : latencyMs;
  const isStillThere = await waitUntil(request.arrivedAt + delayMs, signal);
  if (!isStillThere) return;
  const isWhole = fault?.type !== 'truncated';
  const isSearched = isWhole && fault?.type !== 'answer' && given.status === 200;
  exchange.end({ status: given.status, answered: isSearched });
  if (isWhole) sendAnswer(response, given);
  else sendHalf(response, given);
}

/** Waits until a time of `performance.now()`. False when the signal came first. */
async function waitUntil(time: number, signal: AbortSignal): Promise<boolean> {
  const delayMs = time - performance.now();
  if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** A bug of the stub, or a function of its options that throws, is told to whoever runs the test. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else sendAnswer(response, { status: 500, body: `The stub failed: ${String(error)}` });
}
