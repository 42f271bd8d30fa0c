import createClient from 'openapi-fetch';

import type { components, paths } from '../../../packages/client/src/openapi.ts';

export type Schemas = components['schemas'];

/** Every call of the service's HTTP contract, typed by its OpenAPI description. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: '/',
  headers: { accept: 'application/json' },
});

/** The service understood the request and refused it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly problem: Schemas['Problem'] | undefined;

  constructor(status: number, problem: Schemas['Problem'] | undefined) {
    super(problem?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The service could not be reached. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer; a refusal or a lost connection becomes an error. */
export async function ask<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ConnectionError('The service cannot be reached', { cause });
  });
  if (response.ok) return data as Data;
  if (response.status === 502 || response.status === 504) {
    throw new ConnectionError(`HTTP ${response.status}`);
  }
  throw new ProblemError(response.status, toProblem(error));
}

function toProblem(error: unknown): Schemas['Problem'] | undefined {
  const isProblem = typeof error === 'object' && error !== null && 'detail' in error;
  return isProblem ? (error as Schemas['Problem']) : undefined;
}
