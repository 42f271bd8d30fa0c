import { z } from 'zod';

import { nonEmptyText } from './vocabulary.ts';

/** The name of a group of resources of SAP AI Core. */
export const ResourceGroup = z
  .string()
  .regex(/^[A-Za-z0-9.-]{3,253}$/, 'must be 3 to 253 letters, digits, dots or hyphens')
  .meta({ id: 'ResourceGroup', example: 'default' });

export const DestinationName = nonEmptyText(200).meta({
  description: 'A destination for AI Core. Default: the bound service or the service key.',
  example: 'AICORE',
});
