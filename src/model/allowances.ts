import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** One way to AI Core and what may be used by it. `*` in a list stands for everything that the way reaches. */
export const AllowedAccess = z.object({
  /** A destination that leads to AI Core; absent: the bound service or the service key. */
  destination: z.string().optional(),
  resourceGroups: z.array(z.string()),
  /** Language models, and models that re-rank inside AI Core. */
  models: z.array(z.string()),
  /** Ids of deployments of the orchestration service. */
  deployments: z.array(z.string()),
});
export type AllowedAccess = Immutable<z.infer<typeof AllowedAccess>>;

/** What a tenant may use of SAP AI Core. What is not listed is not allowed. */
export interface Allowances {
  readonly access: readonly AllowedAccess[];
  /** Who keeps the list: the environment of the service, or operators of its provider. */
  readonly keeper: 'environment' | 'provider';
}
