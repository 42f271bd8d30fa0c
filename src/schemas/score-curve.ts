import { z } from 'zod';

import { queryIntOr } from './query-numbers.ts';
import { Name } from './vocabulary.ts';

export const ScoreCurveQuery = z.strictObject({
  configuration: Name,
  depth: queryIntOr(10, { least: 1, most: 1000 }).meta({
    description: 'Hits of each ranking that count, from the first.',
    example: 10,
  }),
  relevantFrom: queryIntOr(1, { least: 1, most: 100 }).meta({
    description: 'The lowest grade that is relevant.',
    example: 1,
  }),
  points: queryIntOr(20, { least: 1, most: 100 }).meta({
    description: 'Steps between the lowest and the highest score.',
    example: 20,
  }),
});

const Share = z.number().nullable();

const ScoreCurvePoint = z
  .object({
    minScore: z.number().meta({ description: 'A score that occurred; hits that reach it stay.' }),
    relevant: z.int(),
    nonRelevant: z.int(),
    unjudged: z.int(),
    precision: Share.meta({
      description: 'Of the hits that stay, the relevant ones; unjudged count as not relevant.',
    }),
    precisionOfJudged: Share.meta({ description: 'The same of the judged hits alone.' }),
    recall: Share.meta({ description: 'Of all relevant documents, those that stay.' }),
    empty: z
      .object({ answerable: z.int(), unanswerable: z.int() })
      .meta({ description: 'Questions without a hit left.' }),
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
        "`rerank`: of the pipeline's re-ranker, hits that `minScore` left out included; `ranking`: of the hits as they came back.",
    }),
    questions: z.object({
      answerable: z.int(),
      unanswerable: z.int(),
      unscored: z.int().meta({ description: 'Left out: none of their hits has a score.' }),
    }),
    relevant: z.int().meta({ description: 'Relevant documents of the questions, found or not.' }),
    unscoredHits: z.int().meta({ description: 'Hits without a score, in no point.' }),
    curve: z.array(ScoreCurvePoint).meta({
      description: 'By rising score, from quantiles of the scores: at the first, all hits stay.',
    }),
  })
  .meta({ id: 'ScoreCurve' });
export type ScoreCurve = z.infer<typeof ScoreCurve>;
