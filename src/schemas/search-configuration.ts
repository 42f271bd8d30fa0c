import { z } from 'zod';

import type { FilterTree as FilterTreeShape } from '../retrieval/filters.ts';
import { Name, nonEmptyText, pageOf, text, Timestamp } from './vocabulary.ts';

const Condition = z.looseObject({
  key: nonEmptyText(256),
  value: z.array(text(1024)).max(1000),
  selectMode: z.array(z.string()).max(10).optional(),
});

const Depth = z
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ description: 'How many documents a stored ranking keeps.' });

const Count = z.int().min(1).max(10_000).nullish();

const FilterTree: z.ZodType<FilterTreeShape> = z
  .union([
    z.looseObject({
      operator: z.enum(['and', 'or']),
      get left() {
        return FilterTree;
      },
      get right() {
        return FilterTree;
      },
    }),
    Condition.extend({ scope: z.enum(['repository', 'document', 'chunk']) }),
  ])
  .meta({ id: 'FilterTree', description: 'A condition, or two trees under one operator.' });

/** The depth to which SAP's Retrieval API reads a boolean tree. */
const maxTreeDepth = 5;

/** A filter of SAP's Retrieval API. Fields that are not named here are kept as they are. */
const SearchFilter = z
  .looseObject({
    id: nonEmptyText(256).optional(),
    searchConfiguration: z
      .looseObject({ maxChunkCount: Count, maxDocumentCount: Count })
      .optional(),
    dataRepositoryMetadata: z.array(Condition).max(100).optional(),
    documentMetadata: z.array(Condition).max(100).optional(),
    chunkMetadata: z.array(Condition).max(100).optional(),
    filter: FilterTree.optional(),
  })
  .superRefine((filter, context) => {
    if (filter.filter && filter.documentMetadata) {
      const message = 'a filter has either "filter" or "documentMetadata"';
      context.addIssue({ code: 'custom', path: ['filter'], message });
    }
    if (filter.filter && depthOf(filter.filter) > maxTreeDepth) {
      const message = `must not be nested deeper than ${maxTreeDepth}`;
      context.addIssue({ code: 'custom', path: ['filter'], message });
    }
  })
  .meta({ id: 'SearchFilter' });

const Filters = z
  .array(SearchFilter)
  .max(50)
  .superRefine((filters, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of filters.entries()) {
      if (id !== undefined && seen.has(id)) {
        const message = `another filter has the id '${id}' already`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
      if (id !== undefined) seen.add(id);
    }
  });

const Users = z.record(
  nonEmptyText(128),
  z.strictObject({ documentMetadata: z.array(Condition).min(1).max(100) }),
);

const Chunking = z.union([
  z.strictObject({ strategy: z.enum(['whole', 'sections']) }),
  z.strictObject({ strategy: z.literal('fixed'), size: z.int().min(1).max(10_000).default(12) }),
]);

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
    .meta({ description: 'How many documents the re-ranker sees.' }),
  rrfK: z.number().min(0).max(10_000).default(60),
  depth: Depth,
  filters: Filters.default([]),
  users: Users.default({}),
};

const runFields = {
  backend: z.literal('run'),
  run: Name,
  depth: Depth,
};

export const SearchConfigurationInput = z
  .discriminatedUnion('backend', [
    z.strictObject(localFields).meta({ title: 'local' }),
    z.strictObject(runFields).meta({ title: 'run' }),
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
  ])
  .meta({ id: 'InlineSearchConfiguration' });

export const SearchConfigurationDetail = z
  .looseObject({ name: Name, backend: z.string(), updatedAt: Timestamp })
  .meta({ id: 'SearchConfiguration' });

export const SearchConfigurationPage = pageOf(SearchConfigurationDetail, 'SearchConfigurationPage');

function depthOf(tree: FilterTreeShape): number {
  return 'operator' in tree ? 1 + Math.max(depthOf(tree.left), depthOf(tree.right)) : 0;
}
