import { z } from 'zod';

import { depthOfTree, maxTreeDepth } from '../retrieval/filter-depth.ts';
import type { FilterTree as FilterTreeShape } from '../model/filters.ts';
import { userName } from './user-name.ts';
import { nonEmptyText, text } from './vocabulary.ts';

const Condition = z.looseObject({
  key: nonEmptyText(256),
  value: z.array(text(1024)).max(1000),
  selectMode: z.array(z.string()).max(10).optional(),
});

/** How many chunks or documents a search may bring; null is no bound of its own. */
export const Count = z.int().min(1).max(10_000).nullish();

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
  .meta({ id: 'FilterTree', description: 'A condition, or two trees combined by an operator.' });

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
    if (filter.filter && depthOfTree(filter.filter) > maxTreeDepth) {
      const message = `must not be nested deeper than ${maxTreeDepth}`;
      context.addIssue({ code: 'custom', path: ['filter'], message });
    }
  })
  .meta({ id: 'SearchFilter' });

export const Filters = z
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

export const Users = z.record(
  userName(128),
  z.strictObject({ documentMetadata: z.array(Condition).min(1).max(100) }),
);
