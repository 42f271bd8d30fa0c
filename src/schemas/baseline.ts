import { z } from 'zod';

import { Name, nonEmptyText, pageOf, Timestamp } from './vocabulary.ts';

export const BaselineInput = z
  .strictObject({ evaluation: nonEmptyText(64), configuration: Name })
  .meta({
    id: 'BaselineInput',
    example: { evaluation: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11', configuration: 'hybrid' },
  });

export const BaselineDetail = z
  .object({
    name: Name,
    evaluation: z.string().meta({ description: 'Kept as long as the baseline refers to it.' }),
    configuration: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Baseline' });

export const BaselinePage = pageOf(BaselineDetail, 'BaselinePage');
