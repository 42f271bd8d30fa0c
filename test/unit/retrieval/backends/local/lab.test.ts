import { describe, expect, it } from 'vitest';

import type { Lexicon } from '../../../../../src/retrieval/backends/local/lexicon.ts';
import { createLexicalReranker } from '../../../../../src/retrieval/backends/local/lexical-reranker.ts';
import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import { createPipelineStages } from '../../../../../src/retrieval/pipeline/create-pipeline.ts';
import { createPipelineRetriever } from '../../../../../src/retrieval/pipeline/pipeline-retriever.ts';
import type { Chunking, LocalMethod } from '../../../../../src/model/search-configuration.ts';
import { readLabJson, readLabLines, readLabRankings } from '../../../../helpers/lab.ts';

const chunkings: Record<string, { chunking: Chunking; passages: number }> = {
  sections: { chunking: { strategy: 'sections' }, passages: 36 },
  whole: { chunking: { strategy: 'whole' }, passages: 18 },
  fixed: { chunking: { strategy: 'fixed', size: 12 }, passages: 57 },
  fixed25: { chunking: { strategy: 'fixed', size: 25 }, passages: 35 },
};
const methods: readonly LocalMethod[] = ['bm25', 'vector', 'hybrid', 'rerank'];
const tables = Object.keys(chunkings).flatMap((name) =>
  methods.map((method) => ({ name, method })),
);

describe('rankings of the lab', () => {
  it.each(Object.entries(chunkings))(
    'cuts as many passages by %s',
    async (_name, { chunking, passages }) => {
      expect((await buildLabIndex(chunking)).chunkCount).toBe(passages);
    },
  );

  it.each(tables)('ranks as $name $method', async ({ name, method }) => {
    const { chunking } = chunkings[name]!;
    const retriever = createLocalRetriever(await buildLabIndex(chunking), { method, chunking });
    const rankings = readLabLines<Question>('questions.jsonl').map(async ({ id, text }) => {
      const { hits } = await retriever.retrieve(text, {
        depth: 100,
        signal: AbortSignal.timeout(10_000),
      });
      return [id, hits.map((hit) => hit.documentId)];
    });
    expect(Object.fromEntries(await Promise.all(rankings))).toEqual(readExpected(name, method));
  });

  // The reference looks at whole notes again, which are the passages of this chunking.
  it('re-ranks by the lexical stage around hybrid as rerank does', async () => {
    const { chunking } = chunkings['whole']!;
    const index = await buildLabIndex(chunking);
    const configuration = {
      backend: 'local',
      corpus: 'lab',
      method: 'hybrid',
      chunking,
      candidates: 8,
      rrfK: 60,
      depth: 100,
      filters: [],
      users: {},
    } as const;
    const pipeline = { candidates: 8, rerank: { type: 'lexical' } } as const;
    const stages = createPipelineStages(configuration, pipeline, {
      createLexicalReranker: () => createLexicalReranker(index),
    });
    const hybrid = createLocalRetriever(index, { method: 'hybrid', chunking });
    const retriever = createPipelineRetriever(hybrid, stages);
    const rankings = readLabLines<Question>('questions.jsonl').map(async ({ id, text }) => {
      const signal = AbortSignal.timeout(10_000);
      const { hits } = await retriever.retrieve(text, { depth: 100, signal });
      return [id, hits.map((hit) => hit.documentId)];
    });

    expect(Object.fromEntries(await Promise.all(rankings))).toEqual(
      readExpected('whole', 'rerank'),
    );
  });
});

interface Question {
  readonly id: string;
  readonly text: string;
}

function buildLabIndex(chunking: Chunking) {
  const lexicon = readLabJson<Lexicon>('lexicon.json');
  return buildLocalIndex(readLabLines<LocalDocument>('documents.jsonl'), { lexicon, chunking });
}

function readExpected(chunking: string, method: string): unknown {
  return readLabRankings().find((table) => table.chunking === chunking && table.method === method)
    ?.byQuestion;
}
