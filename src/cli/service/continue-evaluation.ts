import { createHash } from 'node:crypto';

import type { Progress } from '../output/progress.ts';
import { evaluate, getEvaluation, type Evaluation } from './evaluate.ts';
import { callJson, type Service } from './service.ts';

/**
 * Runs an evaluation in a store. One of the same request that did not end goes on where it stopped, so that no search is
 * paid twice; after one that ended a new one is made.
 */
export async function continueEvaluation(
  service: Service,
  request: object,
  progress: Progress,
): Promise<Evaluation> {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  for (let number = 1; ; number += 1) {
    const idempotencyKey = `run-${hash}-${number}`;
    const earlier = await callJson<{ readonly id: string }>(service, {
      method: 'POST',
      path: '/v1/eval',
      body: { json: request },
      headers: { 'idempotency-key': idempotencyKey },
    });
    const { finishedAt } = await getEvaluation(service, earlier.id);
    const hasEnded = finishedAt !== null && Date.parse(finishedAt) < startedAt;
    if (!hasEnded) return evaluate(service, request, { progress, idempotencyKey });
  }
}

/** Of this process: what ended before is of an earlier run. */
const startedAt = Date.now();
