import { describe, expect, it } from 'vitest';

import { createClient } from '../../scripts/demo/client.ts';
import type { AiCoreStub } from 'grounding-eval-testing';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { environmentOf, searchConcurrency, waitForEnd } from '../helpers/long-evaluation.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';

const words = ['pump', 'oil', 'seal', 'fuse', 'motor', 'floor', 'inspector', 'protocol'];

/** Anna sees P1 alone, and nobody ever finds P99: each question needs a search without her conditions. */
const questions = Array.from({ length: 150 }, (_, index) => ({
  id: `q${index}`,
  text: `${words[index % 8]} ${words[(index >> 3) % 8]} ${index}`,
  user: 'anna',
  relevant: { [`P${1 + (index % 3)}`]: 1, P99: 1 },
}));
const configuration = {
  name: 'whole',
  backend: 'aicore',
  resourceGroup: 'default',
  filters: [{ id: 'all', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
  documentId: { from: 'chunkMetadata', key: 'docId' },
  users: { anna: { documentMetadata: [{ key: 'docId', value: ['P1'] }] } },
  pipeline: {
    rewrite: [
      { type: 'glossary', terms: { pump: 'motor' } },
      { type: 'hyde', model: 'made-up' },
    ],
    rerank: { type: 'lexical' },
  },
};
const request = {
  questionSet: 's',
  configurations: [configuration],
  measures: ['RR'],
  ablate: true,
  diagnose: 'deep',
};

/**
 * By hand: 150 questions, as many passages of the model, and `pump` first in every 8th question (19 of them) or
 * second in 0 … 7, 64 … 71 and 128 … 135 (24, of which 3 have both).
 */
const searches = { asked: 150 + 150 + 40, unfiltered: 150 };
const modelCalls = 150;

/** In the searches of the ablation, and in those without the user. */
const killsAt = [250, 540];

/** What a kill may cost: the questions under way, and the outcomes that wait to be written, with all their calls. */
const callsPerKill = (searchConcurrency + 24) * 4;

describe('an ablation with a deep diagnosis', { timeout: 200_000 }, () => {
  it.each(databaseKinds)('is the same after kill -9 in either part on %s', async (kind) => {
    const undisturbed = await run(kind, []);
    const disturbed = await run(kind, killsAt);

    expect(undisturbed.calls).toEqual({
      search: searches.asked + searches.unfiltered,
      completion: modelCalls,
    });
    expect(disturbed.found).toEqual(undisturbed.found);
    expect(total(disturbed.calls) - total(undisturbed.calls)).toBeLessThanOrEqual(
      killsAt.length * callsPerKill,
    );
  });
});

async function run(kind: DatabaseKind, kills: readonly number[]) {
  const stub = await startStub({ corpus: pumpDocuments, latencyMs: 5, reply: () => 'seal ring' });
  const environment = environmentOf(stub, await createDatabase(kind));
  let server = await startServer(environment);
  const { put, post } = createClient(server.url);
  await put('/v1/question-sets/s', { questions });
  const { id } = await post<{ id: string }>('/v1/eval', request);
  for (const calls of kills) {
    await waitFor(() => total(callsOf(stub)) >= calls, { within: 60_000, every: 2 });
    await server.kill();
    server = await startServer(environment);
  }
  const { status, scorecard } = await waitForEnd(server.url, id);
  const { get } = createClient(server.url);
  const ablation = await get(`/v1/eval/${id}/ablation?configuration=whole&measure=RR`);
  const diagnosis = await get(`/v1/eval/${id}/diagnosis?configuration=whole`);
  await server.kill();
  const found = withoutTimes({ status, scorecard, ablation, diagnosis });
  return { found, calls: callsOf(stub) };
}

function callsOf({ counters: { requests } }: AiCoreStub) {
  return { search: requests.search, completion: requests.completion };
}

function total({ search, completion }: ReturnType<typeof callsOf>): number {
  return search + completion;
}

function withoutTimes(answer: object): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (/latency/i.test(key) ? undefined : value)),
  );
}
