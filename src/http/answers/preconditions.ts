import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

import { AppError } from '../../errors.ts';
import type { NamedChange } from '../../evaluation/catalog/named-resource.ts';
import type { Precondition } from '../../evaluation/catalog/precondition.ts';

/** What a change of a named resource may depend on. */
export const PreconditionHeaders = z.looseObject({
  'if-match': z.string().max(8000).optional().meta({
    description:
      'An ETag, or a list of them. The request changes nothing and is answered with 412 unless the resource still has one of these ETags. `*`: unless the resource exists.',
  }),
  'if-none-match': z.string().max(8000).optional().meta({
    description:
      '`*`: the request changes nothing and is answered with 412 if the resource exists.',
  }),
});

/**
 * What `If-Match` and `If-None-Match` of a request ask for. A tag stands for a state of a resource, in any
 * representation: what follows its dot is not compared. Weak tags match nothing here, as RFC 9110 says.
 */
export function toPrecondition({ headers }: FastifyRequest): Precondition {
  const wanted = headers['if-match'];
  const unwanted = headers['if-none-match'];
  return (state) => {
    if (wanted !== undefined && !matches(wanted, state)) {
      throw refuse(
        'If-Match',
        state === undefined ? 'the resource does not exist' : 'the resource has changed',
      );
    }
    if (unwanted !== undefined && matches(unwanted, state)) {
      throw refuse('If-None-Match', 'the resource exists');
    }
  };
}

/** A change of the resource that the path names. */
export function toNamedChange(
  request: FastifyRequest<{ Params: { readonly name: string } }>,
  now: string,
): NamedChange {
  return { name: request.params.name, now, precondition: toPrecondition(request) };
}

function matches(header: string, state: string | undefined): boolean {
  if (state === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || /^"([^".]*)(\.[^"]*)?"$/.exec(tag)?.[1] === state);
}

function refuse(header: string, why: string): AppError {
  return new AppError('precondition-failed', `Precondition failed: ${why} (${header})`);
}
