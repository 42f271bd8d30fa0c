import { z } from 'zod';

import { ResourceGroup } from './aicore-access.ts';
import { nonEmptyText, Timestamp } from './vocabulary.ts';

const Everything = z.literal('*');

const AllowedAccess = z
  .strictObject({
    destination: nonEmptyText(200).optional().meta({
      description: 'A destination for AI Core. Default: the bound service or the service key.',
    }),
    resourceGroups: z
      .array(z.union([Everything, ResourceGroup]))
      .min(1)
      .max(200)
      .meta({ description: '`*`: every group that the credentials can access.' }),
    models: z.array(nonEmptyText(200)).max(200).default([]).meta({
      description:
        'Language models, and models that re-rank inside AI Core. `*`: all. Default: none.',
    }),
    deployments: z.array(nonEmptyText(200)).max(200).default([]).meta({
      description:
        'Ids of the deployments of the orchestration service through which language models are called. `*`: all. Default: none.',
    }),
  })
  .meta({ id: 'AllowedAccess' });

const access = z.array(AllowedAccess).max(100);

export const AllowancesInput = z.strictObject({ access }).meta({
  id: 'AllowancesInput',
  description:
    'What a tenant may use of SAP AI Core. Each entry is one connection to AI Core and the resources that may be used through it. Resources without an entry are not allowed.',
  example: {
    access: [
      { resourceGroups: ['acme'], models: ['gpt-4.1-mini', 'cohere-3.5'], deployments: ['*'] },
    ],
  },
});

export const TenantAllowances = z
  .object({
    tenant: z.string(),
    isKnown: z.boolean().meta({
      description:
        'Whether a token of the tenant was ever used here; false may indicate a misspelt id.',
    }),
    access,
    updatedAt: Timestamp,
  })
  .meta({ id: 'TenantAllowances' });

export const OwnAllowances = z
  .object({
    keeper: z.enum(['environment', 'provider']).meta({
      description:
        'Where the list comes from: environment variables (AICORE_…) or operators of the provider.',
    }),
    access,
  })
  .meta({ id: 'Allowances' });

export const TenantParams = z.strictObject({
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be 1 to 64 letters, digits or hyphens')
    .meta({
      description:
        'The id of a zone: the `zid` of its tokens, which is the tenant id of its subaccount.',
    }),
});
