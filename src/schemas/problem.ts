import { z } from 'zod';

/** The first 100 of them. */
export const PlacesAtIssue = z.array(
  z.object({
    pointer: z.string().meta({ description: 'JSON Pointer to the invalid field.' }),
    line: z.int().min(1).optional().meta({ description: 'In ndjson and text formats.' }),
    detail: z.string(),
  }),
);

/** Problem details, RFC 9457. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'URN that identifies the type of problem. Stable.' }),
    title: z.string().meta({ description: 'Short description of the type of problem.' }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What went wrong in this request.' }),
    instance: z.string().meta({ description: 'The request in question.' }),
    errors: PlacesAtIssue.optional().meta({ description: 'The invalid fields or lines.' }),
    total: z.int().min(1).optional().meta({
      description:
        'Total number of invalid fields or lines, of which `errors` may list only the first.',
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
 * A route's `default` response: every response but a success is a problem. Created for each route, since
 * the description of the service writes an object that it meets again as empty.
 */
export function problemResponse(): ProblemResponse {
  return {
    description: 'A problem',
    content: { 'application/problem+json': { schema: Problem } },
  };
}

/** The answer of a route that computes much, while too many other computations wait. */
export function busyResponse(): ProblemResponse {
  return {
    ...problemResponse(),
    description:
      'Too many large computations are waiting on this instance. `Retry-After` says when to send the request again.',
  };
}
