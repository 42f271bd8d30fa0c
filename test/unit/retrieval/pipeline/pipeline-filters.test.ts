import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { LocalDocument } from '../../../../src/retrieval/backends/local/local-document.ts';
import { createLexicalReranker } from '../../../../src/retrieval/backends/local/lexical-reranker.ts';
import { buildLocalIndex } from '../../../../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../../../../src/retrieval/backends/local/local-retriever.ts';
import { createPipelineStages } from '../../../../src/retrieval/pipeline/create-pipeline.ts';
import type { PipelineConfiguration } from '../../../../src/model/pipeline-configuration.ts';
import { createPipelineRetriever } from '../../../../src/retrieval/pipeline/pipeline-retriever.ts';
import type { Passage } from '../../../../src/retrieval/retriever.ts';
import { dataOf, scriptChat } from '../../../helpers/scripted-chat.ts';

interface Case {
  readonly documents: readonly LocalDocument[];
  readonly filters: readonly {
    readonly teams?: readonly string[];
    readonly levels?: readonly string[];
  }[];
  readonly userTeams: readonly string[] | undefined;
  readonly pipeline: PipelineConfiguration;
  readonly reply: string;
  readonly method: 'bm25' | 'vector' | 'hybrid' | 'rerank';
}

describe('a pipeline around the local backend', () => {
  it('shows no stage a chunk that the filters or the user exclude', async () => {
    let shown = 0;
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { seen, found } = await retrieve(each);
        const allowed = listAllowed(each);
        const allowedDocuments = new Set([...allowed].map((mark) => mark.split('x')[0]));
        shown += seen.size;
        hidden += each.documents.length * 2 - allowed.size;

        expect([...seen].filter((mark) => !allowed.has(mark))).toEqual([]);
        expect(found.filter((id) => !allowedDocuments.has(id ?? ''))).toEqual([]);
      }),
      { numRuns: 300 },
    );

    // Without these the property would hold for want of anything to show or to hide.
    expect(shown).toBeGreaterThan(300);
    expect(hidden).toBeGreaterThan(300);
  });
});

/** What a case's stages saw, by the marks of the paragraphs, and every document that its trace and hits name. */
async function retrieve({ documents, filters, userTeams, pipeline, reply, method }: Case) {
  const chunking = { strategy: 'sections' } as const;
  const seen = new Set<string>();
  const look = (text: string) => text.match(mark)?.forEach((each) => seen.add(each));
  const { chatModel } = scriptChat((request) => {
    const [, passages] = dataOf(request).split('<passages>');
    if (passages === undefined) return reply;
    look(passages);
    return '[2] > [3] > [1]';
  });
  const configuration = {
    backend: 'local',
    corpus: 'c',
    method,
    chunking,
    candidates: 3,
    rrfK: 60,
    depth: 10,
    filters: filters.map(({ teams, levels }) => ({
      ...(teams && { documentMetadata: [{ key: 'team', value: teams }] }),
      ...(levels && { chunkMetadata: [{ key: 'level', value: levels }] }),
    })),
    users: userTeams ? { anna: { documentMetadata: [{ key: 'team', value: userTeams }] } } : {},
  } as const;
  const index = await buildLocalIndex(documents, { lexicon, chunking });
  const lexical = createLexicalReranker(index);
  const stages = createPipelineStages(configuration, pipeline, {
    chatModel,
    createLexicalReranker: () => ({
      rerank(question, candidates: readonly Passage[], run) {
        for (const { text } of candidates) look(text);
        return lexical.rerank(question, candidates, run);
      },
    }),
  });
  const retriever = createPipelineRetriever(createLocalRetriever(index, configuration), stages);
  const { hits, trace } = await retriever.retrieve('brake wheel D1x0', {
    depth: 10,
    user: userTeams && 'anna',
    history: [{ role: 'user', text: 'saddle' }],
    signal: new AbortController().signal,
  });
  const rankings = trace?.versions.map(({ ranking }) => ranking ?? []) ?? [];
  const traced = [...rankings, trace?.fused ?? [], trace?.reranked ?? []].flat();
  return { seen, found: [...hits.map(({ documentId }) => documentId), ...traced] };
}

/** The marks of the paragraphs that any filter lets pass for the user, by the meaning of the filters alone. */
function listAllowed({ documents, filters, userTeams }: Case): ReadonlySet<string> {
  const all = filters.length > 0 ? filters : [{}];
  const marks = documents.flatMap(({ id, metadata, chunkMetadata }) =>
    [0, 1].flatMap((paragraph) => {
      const teams = metadata?.['team'] ?? [];
      const levels = chunkMetadata?.[paragraph]?.['level'] ?? [];
      const passes = all.some(
        (filter) =>
          meets(teams, filter.teams) && meets(levels, filter.levels) && meets(teams, userTeams),
      );
      return passes ? [`${id}x${paragraph}`] : [];
    }),
  );
  return new Set(marks);
}

function meets(values: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || values.some((value) => wanted.includes(value));
}

const mark = /D\dx\d/g;
const lexicon = { stopwords: [], concepts: { stop: ['brake', 'halt'], turn: ['wheel', 'saddle'] } };
const words = ['brake', 'halt', 'wheel', 'saddle', 'bell'];
const teams = fc.subarray(['red', 'blue'], { minLength: 1 });
const levels = fc.subarray(['open', 'secret'], { minLength: 1 });
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 });

const documents = fc
  .array(
    fc.record({ team: teams, levels: fc.tuple(levels, levels), texts: fc.tuple(text, text) }),
    {
      minLength: 3,
      maxLength: 6,
    },
  )
  .map((drawn) =>
    drawn.map(({ team, levels: [first, second], texts }, index): LocalDocument => {
      const id = `D${index}`;
      return {
        id,
        title: 'Note',
        paragraphs: texts.map((parts, paragraph) => `${parts.join(' ')} ${id}x${paragraph}`),
        metadata: { team },
        chunkMetadata: [{ level: first }, { level: second }],
      };
    }),
  );

const model = { model: 'gpt', maxTokens: 100, timeoutMs: 10_000 };
const pipelines = fc.record(
  {
    rewrite: fc.subarray([
      { type: 'followUp', ...model } as const,
      { type: 'glossary', terms: { brake: 'halt', wheel: 'D0x1' } } as const,
      { type: 'llm', versions: 3, ...model } as const,
      { type: 'hyde', ...model } as const,
    ]),
    fusion: fc.constantFrom({ type: 'rrf', k: 60 } as const, { type: 'scores' } as const),
    candidates: fc.integer({ min: 2, max: 6 }),
    rerank: fc.constantFrom(
      { type: 'lexical' } as const,
      { type: 'llm', window: 3, step: 1, ...model } as const,
    ),
  },
  { requiredKeys: [] },
);

const cases: fc.Arbitrary<Case> = fc.record({
  documents,
  filters: fc.array(fc.record({ teams, levels }, { requiredKeys: [] }), { maxLength: 2 }),
  userTeams: fc.option(teams, { nil: undefined }),
  pipeline: pipelines,
  // A model may word a question by what its user must not see.
  reply: fc
    .array(fc.constantFrom(...words, 'D0x0', 'D1x1', 'D2x0'), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('\n')),
  method: fc.constantFrom('bm25', 'vector', 'hybrid', 'rerank'),
});
