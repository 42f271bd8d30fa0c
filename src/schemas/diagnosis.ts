import { z } from 'zod';

import { lossCauses, type LossCause } from '../ir/funnel/lost-documents.ts';
import type { DiagnosedQuestion } from '../evaluation/diagnosis/diagnose-questions.ts';
import { Name, PageQuery, pageOf } from './vocabulary.ts';
import { queryInt } from './query-numbers.ts';

const meanings: Readonly<Record<LossCause, string>> = {
  filtered:
    'not found by any version, but found by the same search without the conditions of the user',
  absent: 'not found by any version of the question',
  'below-depth': 'found, but not passed to the re-ranker, or beyond the end of the ranking',
  'lost-in-fusion': 'high enough for the next step in some version, but not after fusion',
  'lost-in-rerank': 'in the top k before re-ranking but not after it, or removed by `minScore`',
  'below-k': 'within reach of the last step, but ranked too low',
};

const Cause = z.enum(lossCauses).meta({
  id: 'LossCause',
  description: lossCauses.map((cause) => `\`${cause}\`: ${meanings[cause]}`).join('; '),
});

const k = queryInt({ least: 1, most: 10_000 }).optional().meta({
  description:
    'Default: the deepest cut-off of the measures of the evaluation, or 10 if none has one.',
  example: 10,
});
const relevantFrom = queryInt({ least: 1, most: 100 }).optional().meta({
  description: 'The lowest grade that counts as relevant. Default: 1.',
});

export const DiagnosisQuery = z.strictObject({ configuration: Name, k, relevantFrom });
export const LossQuery = PageQuery.extend({ configuration: Name, k, relevantFrom });

const CauseCounts = z
  .object({
    documents: z.int(),
    share: z
      .number()
      .nullable()
      .meta({ description: 'Share of the lost documents; null: none is lost.' }),
    questions: z.int(),
  })
  .meta({ id: 'CauseCounts' });

const lossCounts = {
  questions: z.int(),
  relevant: z.int().meta({ description: 'Relevant documents of these questions.' }),
  lost: z.int().meta({ description: 'Relevant documents outside the top k.' }),
  causes: z.object({
    filtered: CauseCounts,
    absent: CauseCounts,
    'below-depth': CauseCounts,
    'lost-in-fusion': CauseCounts,
    'lost-in-rerank': CauseCounts,
    'below-k': CauseCounts,
  }),
};

const LossCounts = z.object(lossCounts).meta({ id: 'LossCounts' });

export const Diagnosis = z
  .object({
    configuration: z.string(),
    k: z.int(),
    relevantFrom: z.int(),
    ...lossCounts,
    slices: z.record(z.string(), z.record(z.string(), LossCounts)),
    unfiltered: z.object({ searched: z.int(), failed: z.int(), notAsked: z.int() }).meta({
      description:
        'For questions with a user that lack documents: whether they were also searched without the conditions of the user.',
    }),
    advice: z.array(z.string()),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;

const Rank = z.int().nullable();

const QuestionLosses = z
  .object({
    id: z.string(),
    text: z.string(),
    user: z.string().nullable(),
    relevant: z.int(),
    lost: z.array(
      z.object({
        documentId: z.string(),
        grade: z.int(),
        cause: Cause,
        ranks: z
          .object({
            version: Rank.meta({ description: 'The best rank in any version of the question.' }),
            fused: Rank,
            final: Rank,
          })
          .meta({ description: 'Starts at 1; null: not found.' }),
      }),
    ),
  })
  .meta({ id: 'QuestionLosses' });

export const QuestionLossesPage = pageOf(QuestionLosses, 'QuestionLossesPage');

/** Ids only: what a search without the user's conditions brought back is never shown as content. */
export function toQuestionLosses({
  question: { id, text, user },
  relevant,
  lost,
}: DiagnosedQuestion): z.infer<typeof QuestionLosses> {
  return { id, text, user: user ?? null, relevant, lost: [...lost] };
}
