import { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { getEvaluation } from '../../evaluation/lifecycle/describe-evaluation.ts';
import {
  createEvaluationWatch,
  type EvaluationState,
} from '../../evaluation/lifecycle/watch-evaluation.ts';
import { textResponse } from '../../schemas/bodies.ts';
import { EvaluationParams } from '../../schemas/evaluation.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { createClosingSignal } from '../closing-signal.ts';
import { sendStream } from '../answers/streams.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface EvaluationEventRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const evaluationEventRoutes: FastifyPluginAsyncZodOpenApi<
  EvaluationEventRoutesOptions
> = async (app, { dbFor, now }) => {
  const { watch } = createEvaluationWatch(now);
  const closing = createClosingSignal(app);

  app.get(
    '/eval/:id/events',
    {
      schema: {
        operationId: 'watchEvaluation',
        summary: 'Watch an evaluation through server-sent events',
        description:
          'Sends `progress` events with status and progress, and one `end` event with the final status. A client that reconnects with Last-Event-ID receives what has changed since; 204 if that was the end.',
        tags: ['evaluations'],
        params: EvaluationParams,
        headers: z.looseObject({ 'last-event-id': z.string().max(200).optional() }),
        response: {
          200: { description: 'The events', content: { 'text/event-stream': textResponse } },
          204: { description: 'No further events will follow' },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { id } = request.params;
      await getEvaluation(db, id);
      const signal = AbortSignal.any([request.signal, closing]);
      const after = request.headers['last-event-id'];
      const states = watch(db, id, { after, signal });
      const isOver = after !== undefined && isEndKey(after) && (await states.next()).done === true;
      if (isOver) return reply.code(204).send();
      reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
      // Kept alive, the connection would hold a service that stops for as long as load balancers keep them.
      reply.header('connection', 'close');
      const stream = Readable.from(toEvents(id, watch(db, id, { after, signal })));
      return sendStream(reply, { type: 'text/event-stream', stream });
    },
  );
};

/** Whether it can be the key of a final state. */
function isEndKey(key: string): boolean {
  return /^(succeeded|failed|cancelled)_/.test(key);
}

async function* toEvents(
  id: string,
  states: AsyncIterable<EvaluationState | undefined>,
): AsyncGenerator<string> {
  // Tells the client how long to wait before it comes back, and proxies that the answer has begun.
  yield 'retry: 1000\n\n';
  for await (const state of states) yield state ? toEvent(id, state) : ': still here\n\n';
}

function toEvent(id: string, { key, isFinal, status, progress, error }: EvaluationState): string {
  const data = JSON.stringify({ id, status, progress, error });
  return `id: ${key}\nevent: ${isFinal ? 'end' : 'progress'}\ndata: ${data}\n\n`;
}
