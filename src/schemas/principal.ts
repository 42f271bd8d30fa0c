import { z } from 'zod';

import { scopes } from '../model/scope.ts';

export const PrincipalDetail = z
  .object({
    name: z.string().nullable().meta({
      description: 'The user or the client; null: no authentication.',
    }),
    scopes: z.array(z.enum(scopes)).meta({
      description: 'Includes the scopes that come with a granted scope.',
    }),
  })
  .meta({ id: 'Principal' });
