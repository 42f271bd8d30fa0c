import { z } from 'zod';

import { checkEntries, Id, Name, pageOf, Timestamp } from './vocabulary.ts';

/** Documents that one question's ranking may hold at most. */
export const maxHitsPerQuestion = 10_000;

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
  .meta({ id: 'Ranking', description: 'The documents of one question, all with scores or none.' });

export const RunInput = z
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
export type RunInput = z.infer<typeof RunInput>;

export const RunSummary = z
  .object({
    name: Name,
    contentHash: z.string(),
    questions: z.int().min(0),
    hits: z.int().min(0),
    createdAt: Timestamp,
  })
  .meta({ id: 'RunSummary' });

export const RunDetail = z
  .object({
    ...RunSummary.shape,
    rankings: z.record(z.string(), Ranking),
  })
  .meta({ id: 'Run' });

export const RunPage = pageOf(RunSummary, 'RunPage');
