import { z } from 'zod';

import { isDataset } from '../interchange/tool-datasets.ts';
import { maxHitsPerQuestion } from '../evaluation/catalog/write-rankings.ts';
import { checkEntries, Id, Name, pageOf, Timestamp, Warning } from './vocabulary.ts';

const Ranking = z
  .array(z.strictObject({ documentId: Id, score: z.number().optional() }))
  .max(maxHitsPerQuestion)
  .superRefine((hits, context) => {
    const withScore = hits.filter((hit) => hit.score !== undefined).length;
    if (withScore !== 0 && withScore !== hits.length) {
      const message = 'either every document of a ranking has a score or none has';
      context.addIssue({ code: 'custom', path: [], message });
    }
  })
  .meta({
    id: 'Ranking',
    description: 'The documents of one question. Either all or none have scores.',
  });

const RunInput = z
  .strictObject({
    rankings: z
      .record(z.string(), z.unknown())
      .transform((rankings, context) => checkEntries(rankings, Ranking, context))
      .meta({
        override: {
          type: 'object',
          additionalProperties: { $ref: '#/components/schemas/Ranking' },
        },
      }),
  })
  .meta({
    id: 'RunInput',
    example: { rankings: { q01: [{ documentId: 'D04', score: 7.1 }] } },
  });

export const RanxRunInput = z
  .record(
    Id,
    z
      .record(Id, z.number())
      .refine(
        (scores) => Object.keys(scores).length <= maxHitsPerQuestion,
        `must not have more than ${maxHitsPerQuestion} documents`,
      ),
  )
  .meta({
    id: 'RanxRun',
    description: 'Score by document id by question id, as ranx writes runs.',
    example: { q01: { D04: 7.1 } },
  });

/** A run as JSON in either form. Each is held to its own schema only, so that issues are those of the form that was meant. */
export const RunBody = z.union([
  z.preprocess((body) => (isOwnForm(body) && !isOther(body) ? body : undefined), RunInput),
  z.preprocess((body) => (isOwnForm(body) || isOther(body) ? undefined : body), RanxRunInput),
  z
    .preprocess((body) => (isOther(body) ? [body] : undefined), z.array(z.unknown()))
    .transform(([body]) => body)
    .meta({
      override: ({ jsonSchema }) => {
        // Of the list that carries the body through the union.
        delete jsonSchema.items;
        jsonSchema.type = 'object';
        jsonSchema.additionalProperties = { type: 'array', items: { type: 'string' } };
      },
      description: 'Document ids by question id, best first.',
    }),
]);

/** Lists of document ids, rows of a data frame, or a dataset of another tool. Its reader checks it. */
function isOther(body: unknown): boolean {
  if (Array.isArray(body) || isDataset(body)) return true;
  if (!isObject(body)) return false;
  const { rankings } = body;
  const lists = Object.values(
    isObject(rankings) && Object.keys(body).length === 1 ? rankings : body,
  );
  return lists.some((list) => Array.isArray(list) && list.some((hit) => typeof hit === 'string'));
}

/**
 * Whether a JSON run is in the service's own form, with `rankings`. A run of ranx may have a question of
 * that name: it maps documents to numbers.
 */
function isOwnForm(body: unknown): boolean {
  if (!isObject(body)) return true;
  const { rankings } = body;
  if (rankings === undefined) return Object.keys(body).length === 0;
  const values = isObject(rankings) ? Object.values(rankings) : [];
  return values.length === 0 || !values.every((value) => typeof value === 'number');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const RunQuery = z.strictObject({
  format: z
    .enum(['ranx'])
    .optional()
    .meta({ description: 'Overrides the Accept header: the JSON format of ranx.' }),
});

const RunSummary = z
  .object({
    name: Name,
    contentHash: z.string(),
    questions: z.int().min(0),
    hits: z.int().min(0),
    createdAt: Timestamp,
  })
  .meta({ id: 'RunSummary' });

export const RunSaved = z
  .object({ ...RunSummary.shape, warnings: z.array(Warning) })
  .meta({ id: 'RunSaved' });

export const RunDetail = z
  .object({
    ...RunSummary.shape,
    rankings: z.record(z.string(), Ranking),
  })
  .meta({ id: 'Run' });

export const RunPage = pageOf(RunSummary, 'RunPage');
