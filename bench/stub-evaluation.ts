import { setTimeout } from 'node:timers/promises';

import type { Client } from '../scripts/demo/client.ts';
import type { LocalDocument } from '../src/retrieval/backends/local/local-document.ts';
import { startAiCoreStub, type AiCoreStub } from 'grounding-eval-testing';

export interface Evaluation {
  readonly status: string;
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly failed: number;
    readonly searchesPerSecond: number | null;
    readonly remainingSeconds: number | null;
  };
}

const documents: readonly LocalDocument[] = Array.from({ length: 20 }, (_, index) => ({
  id: `D${index}`,
  title: `Note ${index}`,
  paragraphs: [`Part ${index % 7} of machine ${index % 5} is cleaned with fluid ${index % 3}.`],
}));

/** A stub of AI Core whose searches take so long. */
export function startStub(latencyMs: number): Promise<AiCoreStub> {
  return startAiCoreStub({ corpus: documents, latencyMs });
}

/** Stores so many questions and starts their evaluation, once for each name of a configuration. */
export async function startEvaluation(
  { put, post }: Client,
  count: number,
  names: readonly string[],
): Promise<string> {
  const questions = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    text: `part ${index % 7} machine ${index % 5} fluid ${index % 3} case ${index}`,
    relevant: { [`D${index % 20}`]: 1 },
  }));
  await put('/v1/question-sets/many', { questions });
  const configurations = names.map((name) => ({
    name,
    backend: 'aicore',
    resourceGroup: 'default',
    filters: [{ id: 'all', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
    documentId: { from: 'chunkMetadata', key: 'docId' },
    depth: 5,
  }));
  const body = { questionSet: 'many', configurations, measures: ['RR', 'nDCG@5'] };
  return (await post<{ id: string }>('/v1/eval', body)).id;
}

/** Looks at the evaluation every so often until it has ended. */
export async function watch(
  { get }: Client,
  id: string,
  { everyMs, onLook }: { everyMs: number; onLook?: (found: Evaluation) => Promise<void> | void },
): Promise<Evaluation> {
  for (;;) {
    const found = await get<Evaluation>(`/v1/eval/${id}`);
    await onLook?.(found);
    if (found.status !== 'queued' && found.status !== 'running') return found;
    await setTimeout(everyMs);
  }
}
