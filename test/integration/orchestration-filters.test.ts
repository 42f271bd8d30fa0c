import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { createAiCoreConnection } from '../../src/retrieval/ai-core/connection.ts';
import { createOrchestrationDeployments } from '../../src/retrieval/ai-core/orchestration/deployments.ts';
import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import { createAiCore } from '../../src/retrieval/backends/aicore/ai-core.ts';
import { createOrchestrationRetriever } from '../../src/retrieval/backends/orchestration/orchestration-retriever.ts';
import type { MetadataCondition, SearchFilter } from '../../src/model/filters.ts';
import type { Retriever } from '../../src/retrieval/retriever.ts';
import { SearchConfigurationInput } from '../../src/schemas/search-configuration.ts';
import { startAiCoreStub } from 'grounding-eval-testing';
import { allowAll } from '../helpers/allowances.ts';

/** Every document answers the question; plant, language and page differ. */
const corpus = Array.from({ length: 12 }, (_, index) => ({
  id: `N-${String(index).padStart(2, '0')}`,
  title: 'Brakes',
  paragraphs: ['brake pad', 'brake lever'],
  metadata: {
    plant: [`P${index % 3}`],
    ...(index % 4 > 0 && { language: [index % 2 === 0 ? 'de' : 'en', 'fr'] }),
  },
  chunkMetadata: [{ page: [String(index % 5)] }, { page: ['9'] }],
}));

const stub = await startAiCoreStub({ corpus });
afterAll(() => stub.close());
const connection = createAiCoreConnection({
  serviceKey: parseServiceKey(stub.serviceKey),
  concurrency: 8,
  timeoutMs: 5000,
  attempts: 1,
}).restrictTo(allowAll());
const aiCore = createAiCore(connection);
const deployments = createOrchestrationDeployments(connection.clock);

const values = (...all: readonly string[]) => fc.subarray([...all], { minLength: 1 });
const documentCondition: fc.Arbitrary<MetadataCondition> = fc.oneof(
  fc.record({ key: fc.constant('plant'), value: values('P0', 'P1', 'P2', 'P9') }),
  fc.record({ key: fc.constant('language'), value: values('de', 'en', 'fr') }),
  fc.record({
    key: fc.constantFrom('language', 'nowhere'),
    value: values('de', 'en'),
    selectMode: fc.constant(['ignoreIfKeyAbsent']),
  }),
);
const chunkCondition = fc.record({ key: fc.constant('page'), value: values('0', '1', '4', '9') });
const filter: fc.Arbitrary<SearchFilter> = fc.record({
  searchConfiguration: fc.constantFrom({ maxChunkCount: 100 }, { maxDocumentCount: 100 }),
  documentMetadata: fc.array(documentCondition, { maxLength: 2 }),
  chunkMetadata: fc.array(chunkCondition, { maxLength: 1 }),
});

describe('the filters of a configuration', () => {
  it('let the grounding module find what the Retrieval API finds, for every user', async () => {
    const filters = fc.array(filter, { minLength: 1, maxLength: 3 });
    const conditions = fc.array(documentCondition, { minLength: 1, maxLength: 2 });
    const user = fc.constantFrom('anna', undefined);
    await fc.assert(
      fc.asyncProperty(filters, conditions, user, async (given, documentMetadata, asking) => {
        const shared = {
          resourceGroup: 'default',
          filters: given,
          documentId: { from: 'chunkMetadata', key: 'docId' },
          users: { anna: { documentMetadata } },
        };
        const grounded = { ...shared, backend: 'orchestration', model: 'gpt-4.1-mini' };
        const byGrounding = await list(createRetriever(grounded), asking);
        expect(byGrounding).toEqual(
          await list(createRetriever({ ...shared, backend: 'aicore' }), asking),
        );
      }),
      { numRuns: 60 },
    );
  });
});

/** Of a configuration as it comes over the wire. */
function createRetriever(given: object): Retriever {
  const configuration = SearchConfigurationInput.parse(given);
  if (configuration.backend === 'aicore') return aiCore.createRetriever(configuration);
  if (configuration.backend !== 'orchestration') throw new Error(configuration.backend);
  return createOrchestrationRetriever(configuration, connection, deployments);
}

/** Documents with the number of their chunks that were found, in the order of their ids. */
async function list(retriever: Retriever, user: string | undefined) {
  const signal = AbortSignal.timeout(10_000);
  const { hits } = await retriever.retrieve('brake', { depth: 100, user, signal });
  return hits.map(({ documentId, chunks }) => `${documentId} ${chunks?.length}`).toSorted();
}
