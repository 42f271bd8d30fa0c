import { createClient } from '../../scripts/demo/client.ts';
import type { AiCoreStub } from 'grounding-eval-testing';
import type { EvaluationAnswer } from './client.ts';
import { pumpDocuments } from './fixtures.ts';
import { startStub } from './grounding.ts';
import { waitFor } from './poll.ts';

const words = ['pump', 'oil', 'seal', 'fuse', 'motor', 'floor', 'inspector', 'protocol'];

/** How many searches of one resource group an instance may have under way. */
export const searchConcurrency = 8;

/** A stub of AI Core that finds something for most questions. */
export function startPumpStub(latencyMs = 0): Promise<AiCoreStub> {
  return startStub({ corpus: pumpDocuments, latencyMs });
}

export function environmentOf(
  stub: AiCoreStub,
  databaseUrl: string,
): Readonly<Record<string, string>> {
  return {
    AICORE_SERVICE_KEY: stub.serviceKey,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    SEARCH_CONCURRENCY: String(searchConcurrency),
  };
}

/** Stores questions that all differ, and starts their evaluation. Returns its id. */
export async function startLongEvaluation(url: string, count: number): Promise<string> {
  const { put, post } = createClient(url);
  const questions = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    text: `${words[index % 8]} ${words[(index >> 3) % 8]} ${index}`,
    relevant: { [`P${1 + (index % 3)}`]: 1 },
  }));
  await put('/v1/question-sets/long', { questions });
  const filters = [{ id: 'all', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
  const documentId = { from: 'chunkMetadata', key: 'docId' };
  const search = { backend: 'aicore', resourceGroup: 'default' };
  const { id } = await post<{ id: string }>('/v1/eval', {
    questionSet: 'long',
    configurations: [{ ...search, name: 'grounded', filters, documentId, depth: 3 }],
    measures: ['RR', 'nDCG@3'],
  });
  return id;
}

/** Waits until so many searches have reached the stub. */
export async function waitForSearches(stub: AiCoreStub, count: number): Promise<void> {
  await waitFor(() => stub.counters.requests.search >= count, { within: 60_000, every: 2 });
}

/** The evaluation at its end. */
export function waitForEnd(url: string, id: string, within = 90_000): Promise<EvaluationAnswer> {
  const { get } = createClient(url);
  return waitFor(
    async () => {
      // The service or its store may be away just now.
      const found = await get<EvaluationAnswer>(`/v1/eval/${id}`).catch(() => undefined);
      return found && !['queued', 'running'].includes(found.status) && found;
    },
    { within, every: 100 },
  );
}

/** All rankings as they are answered. */
export async function readRankings(url: string, id: string): Promise<string> {
  const answer = await fetch(`${url}/v1/eval/${id}/runs/grounded`);
  return answer.text();
}

/** How many searches the stub got beyond the first of each question. */
export function countRepeats(stub: AiCoreStub): number {
  return [...stub.counters.questions.values()].reduce((sum, { received }) => sum + received - 1, 0);
}
