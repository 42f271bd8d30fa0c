import { z } from 'zod';

import { checkConfiguration } from './check-configuration.ts';
import { DestinationName, ResourceGroup } from './aicore-access.ts';
import { DocumentIdRules } from './aicore-configuration.ts';
import { ChunkPipeline } from './pipeline.ts';
import { Filters, Users } from './search-filter.ts';
import { Depth, Name, nonEmptyText } from './vocabulary.ts';

const fields = {
  backend: z.literal('orchestration'),
  resourceGroup: ResourceGroup,
  destination: DestinationName.optional(),
  model: nonEmptyText(200).meta({
    description:
      'A language model of the orchestration service. It is asked for a single token, which is discarded: a cheap model is enough.',
    example: 'gpt-4.1-mini',
  }),
  filters: Filters.default([]),
  documentId: DocumentIdRules,
  depth: Depth,
  users: Users.default({}),
  pipeline: ChunkPipeline.optional(),
};

export const OrchestrationConfiguration = z
  .strictObject(fields)
  .superRefine(checkConfiguration)
  .meta({ title: 'orchestration' });

/** As OrchestrationConfiguration, with the name it has in one evaluation. */
export const InlineOrchestrationConfiguration = z
  .strictObject({ name: Name, ...fields })
  .superRefine(checkConfiguration)
  .meta({ title: 'orchestration' });
