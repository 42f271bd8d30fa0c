import { z } from 'zod';

interface Range {
  readonly least: number;
  readonly most: number;
}

/** A whole number in a query, in decimal digits: `0x10`, `1e2` and blanks are mistakes. */
export function queryInt(range: Range): z.ZodType<number> {
  const message = `must be a whole number from ${range.least} to ${range.most}, in digits`;
  const number = z.int(message).min(range.least, message).max(range.most, message);
  return z
    .preprocess((text) => readDigits(text, /^\d{1,15}$/), number)
    .meta({ override: describe('integer', range) });
}

/** As `queryInt`, where another number holds for a query without it. */
export function queryIntOr(fallback: number, range: Range): z.ZodDefault<z.ZodType<number>> {
  const override = { ...describe('integer', range), default: fallback };
  return queryInt(range).default(fallback).meta({ override });
}

/** A number in a query, in decimal digits with at most one dot, and what holds without it. */
export function queryNumberOr(fallback: number, range: Range): z.ZodDefault<z.ZodType<number>> {
  const message = `must be a number from ${range.least} to ${range.most}, in digits and at most one dot`;
  const number = z.number(message).min(range.least, message).max(range.most, message);
  const override = { ...describe('number', range), default: fallback };
  return z
    .preprocess((text) => readDigits(text, /^\d{1,15}(\.\d{1,20})?$/), number)
    .default(fallback)
    .meta({ override });
}

function describe(type: 'integer' | 'number', { least, most }: Range) {
  return { type, minimum: least, maximum: most };
}

/** Whatever is not written so is left as text, which is no number. */
function readDigits(text: unknown, form: RegExp): unknown {
  return typeof text === 'string' && form.test(text) ? Number(text) : text;
}
