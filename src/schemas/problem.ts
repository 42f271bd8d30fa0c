import { z } from 'zod';

/** The first 100 of them. */
export const PlacesAtFault = z.array(
  z.object({
    pointer: z.string().meta({ description: 'JSON Pointer to the field at fault.' }),
    line: z.int().min(1).optional().meta({ description: 'In ndjson and TREC text.' }),
    detail: z.string(),
  }),
);

/** Problem details, RFC 9457. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'URN that names the kind of problem. Stable.' }),
    title: z.string().meta({ description: 'The kind of problem in words.' }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What went wrong this time.' }),
    instance: z.string().meta({ description: 'The request this is about.' }),
    errors: PlacesAtFault.optional().meta({ description: 'The places at fault.' }),
    total: z.int().min(1).optional().meta({
      description: 'How many places are at fault, where `errors` may name the first of them only.',
    }),
  })
  .meta({
    id: 'Problem',
    example: {
      type: 'urn:problem:grounding-eval:invalid-input',
      title: 'Bad Request',
      status: 400,
      detail: 'The request does not fit its schema',
      instance: 'urn:request:req-7',
      errors: [{ pointer: '/body/questions/3/text', detail: 'must not be empty' }],
    },
  });
export type Problem = z.infer<typeof Problem>;

interface ProblemResponse {
  readonly description: string;
  readonly content: { readonly 'application/problem+json': { readonly schema: typeof Problem } };
  readonly [extension: `x-${string}`]: unknown;
}

/**
 * A route's `default` response: whatever is not a success is a problem. Made anew for each route, since
 * the description of the service writes an object that it meets again as empty.
 */
export function problemResponse(): ProblemResponse {
  return {
    description: 'A problem',
    content: { 'application/problem+json': { schema: Problem } },
  };
}
