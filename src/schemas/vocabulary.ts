import { z } from 'zod';

/** Longest id of a question or document, in UTF-16 code units. */
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
  return text(maxLength).refine((value) => value.trim() !== '', 'must not be empty');
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

export const Grade = z
  .int('must be a whole number')
  .min(-100)
  .max(100)
  .meta({ id: 'Grade', description: '0 or less: judged, not relevant.', example: 2 });

/** Something a reader must know beside a result. */
export const Warning = z
  .object({
    code: z.string().meta({ description: 'Stable.' }),
    message: z.string(),
    questions: z.int().min(0).meta({ description: 'How many questions it touches.' }),
  })
  .meta({ id: 'Warning' });

export const Depth = z
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ description: 'How many documents a stored ranking keeps.' });

export const NameParams = z.strictObject({ name: Name });

export const Timestamp = z.string().meta({
  id: 'Timestamp',
  description: 'RFC 3339, UTC.',
  example: '2026-11-30T06:00:00.000Z',
});

export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(100).meta({ example: 100 }),
  cursor: z.string().max(2000).optional().meta({ description: 'nextCursor of the page before.' }),
});

/** The schema of a list: one page and where the next one starts. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
  id: string,
): z.ZodObject<{ items: z.ZodArray<Item>; nextCursor: z.ZodNullable<z.ZodString> }> {
  return z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: 'null: this was the last page.' }),
    })
    .meta({ id });
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
