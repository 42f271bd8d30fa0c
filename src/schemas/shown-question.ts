import { z } from 'zod';

import type { ShownQuestion } from '../evaluation/scoring/show-question.ts';
import { QuestionResult, ResultHit } from './question-result.ts';
import { fromQuestion, QuestionInput } from './question-set.ts';
import { queryIntOr } from './query-numbers.ts';
import { Id } from './vocabulary.ts';

export const RankingsQuery = z.strictObject({
  question: Id.meta({ example: 'q06' }),
  depth: queryIntOr(20, { least: 1, most: 1000 }).meta({
    description: 'How many documents of each ranking are shown.',
  }),
});

export const DocumentQuery = z.strictObject({ documentId: Id });

const ShownHit = ResultHit.extend({
  title: z.string().nullable().meta({ description: 'null: the backend keeps no titles.' }),
  snippet: z.string().nullable().meta({ description: 'The start of the chunk that was found.' }),
  latestGrade: z
    .int()
    .nullable()
    .meta({ description: 'The grade in the latest version of the question set.' }),
});

export const QuestionRankings = z
  .object({
    question: QuestionInput,
    latestVersion: z
      .int()
      .meta({ description: 'The version of the question set that `latestGrade` refers to.' }),
    results: z.array(
      QuestionResult.omit({ id: true, text: true, ranking: true }).extend({
        configuration: z.string(),
        ranking: z.array(ShownHit),
      }),
    ),
  })
  .meta({ id: 'QuestionRankings' });

export function toQuestionRankings({
  question,
  latestVersion,
  results,
}: ShownQuestion): z.infer<typeof QuestionRankings> {
  return {
    question: fromQuestion(question),
    latestVersion,
    results: results as z.infer<typeof QuestionRankings>['results'],
  };
}
