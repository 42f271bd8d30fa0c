import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';

import type { EvaluationDetail } from '../../schemas/evaluation.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Progress } from '../output/progress.ts';
import { callJson, type Service } from './service.ts';

export type Evaluation = z.infer<typeof EvaluationDetail>;

/** Runs an evaluation to its end. One that failed as a whole throws. */
export async function evaluate(
  service: Service,
  request: object,
  {
    progress,
    idempotencyKey,
  }: {
    readonly progress?: Progress | undefined;
    readonly idempotencyKey?: string | undefined;
  } = {},
): Promise<Evaluation> {
  const { id } = await callJson<{ readonly id: string }>(service, {
    method: 'POST',
    path: '/v1/eval',
    body: { json: request },
    headers: {
      prefer: 'wait=1',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  });
  const evaluation = await waitForEnd(service, id, progress);
  if (evaluation.status === 'succeeded') return evaluation;
  const reason = evaluation.error?.detail ?? `The evaluation was ${evaluation.status}`;
  throw new CommandError(reason, exitCodes.notReached);
}

async function waitForEnd(
  service: Service,
  id: string,
  progress: Progress | undefined,
): Promise<Evaluation> {
  const pauseMs = service.isRemote ? 1000 : 100;
  try {
    for (;;) {
      const evaluation = await getEvaluation(service, id);
      progress?.show(evaluation.progress);
      if (evaluation.finishedAt !== null) return evaluation;
      await setTimeout(pauseMs);
    }
  } finally {
    progress?.end();
  }
}

export function getEvaluation(service: Service, id: string): Promise<Evaluation> {
  return callJson(service, { method: 'GET', path: `/v1/eval/${id}` });
}
