import { z } from 'zod';

import { severities } from '../model/warnings.ts';
import { queryIntOr } from './query-numbers.ts';

/** Longest id of a question or document, in Unicode code points. */
const maxIdLength = 512;

/** Text that every store and format keeps as it is: no NUL, no half of a surrogate pair. */
export function text(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength, `must not be longer than ${maxLength} characters`)
    .refine(isStorable, 'must not contain NUL or unpaired surrogates');
}

/** Text with something to read in it. */
export function nonEmptyText(maxLength: number): z.ZodString {
  return text(maxLength)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine(
      (value) => value !== '__proto__',
      'must not be __proto__, which JSON objects cannot hold',
    );
}

/** The name of a question set, corpus, search configuration or run. */
export const Name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, underscores or hyphens, starting with a letter or digit',
  )
  .meta({ id: 'Name', example: 'sample' });

export const Id = nonEmptyText(maxIdLength).meta({
  id: 'Id',
  description: 'The id of a question or document.',
  example: 'D07',
});

/** Whether a value is an id for sure, found much faster than by `Id`, which decides about all others. */
export function isPlainId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maxIdLength &&
    value.trim() !== '' &&
    value !== '__proto__' &&
    isStorable(value)
  );
}

/** Whether a value is a grade for sure; `Grade` decides about all others. */
export function isPlainGrade(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= maxGrade;
}

const maxGrade = 100;

export const Grade = z
  .int('must be a whole number from -100 to 100')
  .min(-100, 'must not be below -100')
  .max(100, 'must not be above 100')
  .meta({ id: 'Grade', description: '0 or less: judged not relevant.', example: 2 });

/** Something a reader must know beside a result. */
export const Warning = z
  .object({
    code: z.string().meta({ description: 'Stable identifier.' }),
    severity: z.enum(severities).meta({
      description:
        '`error`: the result means nothing; `warning`: it may mislead; `note`: good to know. Warnings are in this order.',
    }),
    message: z.string(),
    questions: z.int().min(0).meta({ description: 'How many questions are affected.' }),
    ranges: z
      .record(z.string(), z.object({ low: z.number(), high: z.number() }))
      .optional()
      .meta({
        description:
          'For `tied-scores`: by measure, the lowest and the highest mean over all orders of equal scores.',
      }),
  })
  .meta({ id: 'Warning' });

export const Depth = z
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ description: 'How many documents a stored ranking keeps.' });

/** Reads or writes ndjson in the form of BEIR. */
export const FormatQuery = z.strictObject({
  format: z.enum(['beir']).optional().meta({ description: 'ndjson in BEIR format.' }),
});

export const NameParams = z.strictObject({ name: Name });

export const Timestamp = z.string().meta({
  id: 'Timestamp',
  description: 'RFC 3339, UTC.',
  example: '2026-11-30T06:00:00.000Z',
});

export const Author = z
  .string()
  .nullable()
  .meta({ description: 'User, client or schedule; null: no authentication.' });

export const PageQuery = z.strictObject({
  limit: queryIntOr(100, { least: 1, most: 1000 }).meta({ example: 100 }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'The nextCursor of the previous page.' }),
});

/** The schema of a list: one page and where the next one starts. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
  id: string,
): z.ZodObject<{ items: z.ZodArray<Item>; nextCursor: z.ZodNullable<z.ZodString> }> {
  return z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: 'null: this is the last page.' }),
    })
    .meta({ id });
}

/**
 * A list that is checked entry by entry, and given up after so many issues: the issues of a large body
 * that is wrong throughout would fill the memory. `component` is the entry's name in the description.
 */
export function patientList<Item extends z.ZodType>(
  item: Item,
  { most, component }: { readonly most: number; readonly component: string },
): z.ZodType<z.output<Item>[]> {
  return z
    .array(z.unknown())
    .min(1)
    .max(most)
    .transform((entries, context) => {
      const parsed: z.output<Item>[] = [];
      for (const [index, entry] of entries.entries()) {
        const result = item.safeParse(entry);
        if (result.success) parsed.push(result.data);
        else addIssues(context, [index], result.error.issues);
        if (context.issues.length >= maxIssues) break;
      }
      return parsed;
    })
    .meta({
      override: {
        type: 'array',
        minItems: 1,
        maxItems: most,
        items: { $ref: `#/components/schemas/${component}` },
      },
    });
}

/** As `patientList`, for the values of an object. */
export function checkEntries<Value extends z.ZodType>(
  entries: Readonly<Record<string, unknown>>,
  value: Value,
  context: z.core.$RefinementCtx,
): Record<string, z.output<Value>> {
  const parsed: [string, z.output<Value>][] = [];
  for (const [key, entry] of Object.entries(entries)) {
    const id = Id.safeParse(key);
    const result = value.safeParse(entry);
    if (!id.success) addIssues(context, [key], id.error.issues);
    if (result.success) parsed.push([key, result.data]);
    else addIssues(context, [key], result.error.issues);
    if (context.issues.length >= maxIssues) break;
  }
  return Object.fromEntries(parsed);
}

/** Issues after which a body is not read any further. */
const maxIssues = 100;

function addIssues(
  context: z.core.$RefinementCtx,
  place: readonly PropertyKey[],
  issues: readonly z.core.$ZodIssue[],
): void {
  for (const issue of issues.slice(0, maxIssues)) {
    context.issues.push({ ...issue, path: [...place, ...issue.path], input: undefined });
  }
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
