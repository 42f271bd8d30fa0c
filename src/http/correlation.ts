import type { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { EvaluationJobs } from '../jobs/evaluation-jobs.ts';
import { saveCorrelation } from '../storage/evaluations/correlations.ts';
import type { Database } from '../storage/database/database.ts';

/** What callers and the router of Cloud Foundry name a request by, the caller's first. */
const names = ['x-correlationid', 'x-vcap-request-id'] as const;

/** What is longer, or could forge a line of a log or of a header, is none. */
const readable = /^[\w.:-]{1,128}$/;

/** Takes the caller's id of a request, so that the logs of both can be matched; else a new id. */
export function createRequestNames(createId: () => string): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const given = names.map((name) => headers[name]);
    const valid = given.find((id) => typeof id === 'string' && readable.test(id));
    return typeof valid === 'string' ? valid : createId();
  };
}

/** Tells each caller what its request is called in the logs. */
export function answerCorrelation(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ id }, reply) => {
    reply.header('x-correlationid', id);
  });
}

/** Hands an evaluation to the jobs, whose logs name it together with the request, on whichever instance. */
export async function enqueueFor(
  request: Pick<FastifyRequest, 'id'>,
  { db, jobs, id }: { readonly db: Database; readonly jobs: EvaluationJobs; readonly id: string },
): Promise<void> {
  await saveCorrelation(db, id, request.id);
  jobs.enqueue(id);
}
