import { z } from 'zod';

import { AiCoreConfiguration, InlineAiCoreConfiguration } from './aicore-configuration.ts';
import {
  InlineOrchestrationConfiguration,
  OrchestrationConfiguration,
} from './orchestration-configuration.ts';
import { HttpConfiguration, InlineHttpConfiguration } from './http-configuration.ts';
import { InlineSqlConfiguration, SqlConfiguration } from './sql-configuration.ts';
import { Pipeline, RunPipeline } from './pipeline.ts';
import { Filters, Users } from './search-filter.ts';
import { WindowSize } from './corpus.ts';
import { Depth, Name, pageOf, Timestamp } from './vocabulary.ts';

const Chunking = z.discriminatedUnion(
  'strategy',
  [
    z.strictObject({ strategy: z.enum(['whole', 'sections']) }),
    z.strictObject({ strategy: z.literal('fixed'), size: WindowSize.default(12) }),
  ],
  { error: describeChunking },
);

/** Undefined: another issue than of the strategy has a message of its own. */
function describeChunking(issue: { readonly code?: string | undefined }): string | undefined {
  return issue.code === 'invalid_union' ? 'must be "whole", "sections" or "fixed"' : undefined;
}

const localFields = {
  backend: z.literal('local'),
  corpus: Name,
  method: z.enum(['bm25', 'vector', 'hybrid', 'rerank']),
  chunking: Chunking.default({ strategy: 'sections' }),
  candidates: z
    .int()
    .min(1)
    .max(1000)
    .default(8)
    .meta({ description: 'How many documents the re-ranker receives.' }),
  rrfK: z.number().min(0).max(10_000).default(60),
  analyzer: z.enum(['plain', 'english', 'german']).optional().meta({
    description:
      'How texts become terms. `plain`: words as they are. `english`, `german`: stemmed, without stop words, ' +
      'hyphenated words also in parts. Default: `plain`.',
  }),
  k1: z.number().min(0).max(10).optional().meta({
    description: 'Of BM25: how much repeated occurrences of a term count. Default: 1.5.',
  }),
  b: z.number().min(0).max(1).optional().meta({
    description: 'Of BM25: how much the length of a chunk counts. Default: 0.75.',
  }),
  depth: Depth,
  filters: Filters.default([]),
  users: Users.default({}),
  pipeline: Pipeline.optional(),
};

const runFields = {
  backend: z.literal('run'),
  run: Name,
  depth: Depth,
  pipeline: RunPipeline.optional(),
};

export const SearchConfigurationInput = z
  .discriminatedUnion('backend', [
    z.strictObject(localFields).meta({ title: 'local' }),
    z.strictObject(runFields).meta({ title: 'run' }),
    AiCoreConfiguration,
    OrchestrationConfiguration,
    HttpConfiguration,
    SqlConfiguration,
  ])
  .meta({
    id: 'SearchConfigurationInput',
    example: { backend: 'local', corpus: 'sample', method: 'hybrid' },
  });

/** A configuration that stands in the request instead of being stored before. */
export const InlineSearchConfiguration = z
  .discriminatedUnion('backend', [
    z.strictObject({ name: Name, ...localFields }).meta({ title: 'local' }),
    z.strictObject({ name: Name, ...runFields }).meta({ title: 'run' }),
    InlineAiCoreConfiguration,
    InlineOrchestrationConfiguration,
    InlineHttpConfiguration,
    InlineSqlConfiguration,
  ])
  .meta({ id: 'InlineSearchConfiguration' });

export const SearchConfigurationDetail = z
  .looseObject({ name: Name, backend: z.string(), updatedAt: Timestamp })
  .meta({ id: 'SearchConfiguration' });

export const SearchConfigurationPage = pageOf(SearchConfigurationDetail, 'SearchConfigurationPage');
