import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { toPointer } from './reading.ts';

/** A JSON value and its place. What is not there as a format has it is refused with the place. */
export interface JsonNode {
  readonly value: unknown;
  readonly pointer: string;
  readonly has: (key: string) => boolean;
  readonly get: (key: string) => JsonNode;
  readonly entries: () => readonly (readonly [string, JsonNode])[];
  readonly list: () => readonly JsonNode[];
  /** A text, or a number as text. */
  readonly text: () => string;
  readonly fail: (reason: string) => never;
}

export function createNode(value: unknown, pointer = ''): JsonNode {
  const fail = (reason: string): never => {
    throw new InterchangeError(reason, { pointer });
  };
  return {
    value,
    pointer,
    fail,
    has: (key) => isRecord(value) && value[key] !== undefined && value[key] !== null,
    get: (key) => createNode(isRecord(value) ? value[key] : undefined, pointer + toPointer(key)),
    entries: () =>
      isRecord(value)
        ? Object.entries(value).map(([key, one]) => [
            key,
            createNode(one, pointer + toPointer(key)),
          ])
        : fail('is not an object'),
    list: () =>
      Array.isArray(value)
        ? value.map((one: unknown, index) => createNode(one, pointer + toPointer(index)))
        : fail(value === undefined ? 'is missing' : 'is not a list'),
    text() {
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return fail(value === undefined ? 'is missing' : 'is neither a text nor a number');
    },
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
