import { z } from 'zod';

import { DestinationName, ResourceGroup } from './aicore-access.ts';
import { PageQuery, pageOf } from './vocabulary.ts';

export const DataRepositoryQuery = PageQuery.extend({
  resourceGroup: ResourceGroup,
  destination: DestinationName.optional(),
});

const DataRepository = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    type: z.string().nullable(),
    metadata: z.array(z.object({ key: z.string(), value: z.array(z.string()) })),
  })
  .meta({ id: 'DataRepository' });
export type DataRepository = z.infer<typeof DataRepository>;

export const DataRepositoryPage = pageOf(DataRepository, 'DataRepositoryPage');
