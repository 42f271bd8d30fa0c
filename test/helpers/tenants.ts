import type { FastifyInstance, InjectOptions } from 'fastify';

import type { Answer } from './client.ts';
import { makeToken, type TokenOptions } from './tokens.ts';

/** Sends requests with a token of its own. */
export type Sender = (options: InjectOptions) => Promise<Answer>;

/** Somebody who may do everything, or what the options say. */
export async function createSender(
  app: FastifyInstance,
  options: TokenOptions = {},
): Promise<Sender> {
  const token = await makeToken({ scopes: ['Admin', 'JOBSCHEDULER'], ...options });
  const authorization = `Bearer ${token}`;
  return ({ headers, ...rest }) => app.inject({ ...rest, headers: { authorization, ...headers } });
}
