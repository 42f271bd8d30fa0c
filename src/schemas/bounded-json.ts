import { z } from 'zod';

import type { JsonValue } from '../model/http-search.ts';

const maxDepth = 20;
const maxLength = 20_000;

const AnyJson = z.json();

const boundedJson: z.ZodType<JsonValue> = z
  .any()
  .superRefine((value: unknown, context) => {
    const { success, data } = AnyJson.safeParse(value);
    if (!success) {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
    } else if (JSON.stringify(data).length > maxLength) {
      const message = `must not be longer than ${maxLength} characters of JSON`;
      context.addIssue({ code: 'custom', message });
    } else if (depthOf(data) > maxDepth) {
      const message = `must not be nested deeper than ${maxDepth}`;
      context.addIssue({ code: 'custom', message });
    }
  });

/**
 * Any JSON that is not too long and not nested too deep. Described as one schema: generators cannot express one that
 * refers to itself.
 */
export function describeJson(description: string): z.ZodType<JsonValue> {
  return boundedJson.meta({
    description,
    override: {
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
      additionalProperties: true,
      items: {},
    },
  });
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
