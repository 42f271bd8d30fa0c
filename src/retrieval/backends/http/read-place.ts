import { compile, search, type JSONValue } from '@jmespath-community/jmespath';

import type { AnswerPlace } from '../../../model/http-search.ts';

/** Finds what stands at a place; undefined: nothing. */
export type ReadPlace = (value: unknown) => unknown;

/** Makes a reader of a place. Throws SyntaxError with the reason when the place cannot be read. */
export function createPlaceReader(place: AnswerPlace): ReadPlace {
  return typeof place === 'string' ? createPointerReader(place) : createExpressionReader(place);
}

/** RFC 6901. */
function createPointerReader(pointer: string): ReadPlace {
  if (pointer !== '' && !pointer.startsWith('/')) {
    throw new SyntaxError('must be a JSON Pointer such as "/hits/hits", or { "jmespath": "…" }');
  }
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (value) => keys.reduce(step, value);
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function createExpressionReader({ jmespath }: { readonly jmespath: string }): ReadPlace {
  try {
    compile(jmespath);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be parsed';
    throw new SyntaxError(`must be an expression of JMESPath: ${reason}`, { cause: error });
  }
  return (value) => {
    try {
      return search(value as JSONValue, jmespath) ?? undefined;
    } catch {
      // A function that does not take what stands there finds nothing.
      return undefined;
    }
  };
}
