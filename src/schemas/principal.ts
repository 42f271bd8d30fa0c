import { z } from 'zod';

/** As `Scope` of the sign-in, which is above this layer; the compiler compares the two. */
const scopeNames = ['Read',
  'Submit',
  'Evaluate',
  'Label',
  'Admin',
  'JOBSCHEDULER',
  'Operate',
] as const;

export const PrincipalDetail = z
  .object({
    name: z.string().nullable().meta({
      description: 'The user or the client; null: no authentication.',
    }),
    scopes: z.array(z.enum(scopeNames)).meta({
      description: 'Includes the scopes that come with a granted scope.',
    }),
  })
  .meta({ id: 'Principal' });
