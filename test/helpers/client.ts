import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

export type Answer = LightMyRequestResponse;

/** Sends JSON, or text with the media type given, and returns the answer. */
export function send(
  app: FastifyInstance,
  method: 'PUT' | 'POST',
  url: string,
  options: { body?: unknown; type?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, type = 'application/json', headers = {} } = options;
  const payload = type === 'application/json' ? JSON.stringify(body) : (body as string);
  const request: InjectOptions = { method, url, headers: { ...headers } };
  if (body === undefined) return app.inject(request);
  return app.inject({ ...request, headers: { 'content-type': type, ...headers }, payload });
}

/** PUTs or POSTs what must work, and returns the parsed answer. */
export async function ask<Body>(
  app: FastifyInstance,
  method: 'PUT' | 'POST' | 'GET',
  url: string,
  options: { body?: unknown; type?: string; headers?: Record<string, string> } = {},
): Promise<Body> {
  const answer =
    method === 'GET'
      ? await app.inject({ method, url, headers: options.headers ?? {} })
      : await send(app, method, url, options);
  if (answer.statusCode >= 300) {
    throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
  }
  return answer.json<Body>();
}

export interface EvaluationAnswer {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number; readonly failed: number };
  readonly scorecard: readonly RowAnswer[];
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly questionSet: { readonly name: string; readonly version: number };
}

export interface RowAnswer {
  readonly configuration: string;
  readonly questions: Readonly<Record<'scored' | 'empty' | 'failed' | 'unanswerable', number>>;
  readonly measures: Readonly<Record<string, number>>;
  readonly slices: Readonly<
    Record<
      string,
      Record<string, { readonly questions: number; readonly measures: Record<string, number> }>
    >
  >;
  readonly leaks: { readonly questions: number; readonly documents: number };
  readonly failures: readonly { readonly code: string; readonly questions: number }[];
  readonly usage: Readonly<Record<string, number>>;
  readonly latencyMs: Readonly<Record<string, number>> | null;
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly questions: number;
  }[];
}

/** Runs an evaluation to its end. */
export async function evaluate(app: FastifyInstance, body: object): Promise<EvaluationAnswer> {
  const headers = { prefer: 'wait=60' };
  const answer = await send(app, 'POST', '/v1/eval', { body, headers });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json<EvaluationAnswer>();
}
