import { z } from 'zod';

/** The least and the greatest value that labels still missing allow. */
export const Bounds = z.object({ low: z.number(), high: z.number() });

/** The sign that every possible labelling gives a difference. */
export const Decision = z.enum(['higher', 'lower', 'equal', 'undecided']);
