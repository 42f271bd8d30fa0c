import { z } from 'zod';

import { queryIntOr } from './query-numbers.ts';
import { Name } from './vocabulary.ts';

export const ScoreCurveQuery = z.strictObject({
  configuration: Name,
  depth: queryIntOr(10, { least: 1, most: 1000 }).meta({
    description: 'How many hits of each ranking to count, from the top.',
    example: 10,
  }),
  relevantFrom: queryIntOr(1, { least: 1, most: 100 }).meta({
    description: 'The lowest grade that counts as relevant.',
    example: 1,
  }),
  points: queryIntOr(20, { least: 1, most: 100 }).meta({
    description: 'Number of steps between the lowest and the highest score.',
    example: 20,
  }),
});

const Share = z.number().nullable();

const ScoreCurvePoint = z
  .object({
    minScore: z
      .number()
      .meta({ description: 'A score that occurred; hits with at least this score remain.' }),
    relevant: z.int(),
    nonRelevant: z.int(),
    unjudged: z.int(),
    precision: Share.meta({
      description:
        'Share of relevant hits among the remaining ones; unjudged hits count as not relevant.',
    }),
    precisionOfJudged: Share.meta({ description: 'The same, among judged hits only.' }),
    recall: Share.meta({ description: 'Share of all relevant documents that remain.' }),
    empty: z
      .object({ answerable: z.int(), unanswerable: z.int() })
      .meta({ description: 'Questions without remaining hits.' }),
  })
  .meta({ id: 'ScoreCurvePoint' });

export const ScoreCurve = z
  .object({
    configuration: z.string(),
    depth: z.int(),
    relevantFrom: z.int(),
    points: z.int(),
    scores: z.enum(['rerank', 'ranking']).meta({
      description:
        '`rerank`: scores of the re-ranker, including hits that `minScore` removed; `ranking`: scores of the hits as returned.',
    }),
    questions: z.object({
      answerable: z.int(),
      unanswerable: z.int(),
      unscored: z
        .int()
        .meta({ description: 'Questions excluded because none of their hits has a score.' }),
      unlabelled: z
        .int()
        .meta({ description: 'Questions excluded because they have no judgment.' }),
    }),
    relevant: z
      .int()
      .meta({ description: 'Relevant documents of the questions, whether retrieved or not.' }),
    unscoredHits: z
      .int()
      .meta({ description: 'Hits without a score, which are part of no point.' }),
    curve: z.array(ScoreCurvePoint).meta({
      description:
        'By ascending score, at quantiles of the scores; at the first point all hits remain.',
    }),
  })
  .meta({ id: 'ScoreCurve' });
export type ScoreCurve = z.infer<typeof ScoreCurve>;
