import { z } from 'zod';

import { formatJudgedForm, type MeasureFamily as Family } from '../ir/measures/measure-family.ts';
import { pageOf } from './vocabulary.ts';

const MeasureFamily = z
  .object({
    name: z.string(),
    pattern: z.string().meta({ description: 'All forms of the name.', example: 'P(rel=n)@k' }),
    judgedForm: z.string().nullable().meta({
      description:
        'The form that removes unjudged documents from rankings first (trec_eval -J); null where it would be no other measure.',
      example: 'P(judged)@k',
    }),
    aliases: z.array(z.string()),
    summary: z.string(),
    formula: z.string(),
    range: z.string(),
    ties: z.string(),
    unjudged: z.string(),
    negativeGrades: z.string(),
    noRelevantDocument: z.string(),
    shortRanking: z.string(),
    namesElsewhere: z.object({
      trecEval: z.string().nullable(),
      ranx: z.string().nullable(),
      irMeasures: z.string().nullable(),
    }),
    source: z.string(),
  })
  .meta({ id: 'MeasureFamily' });
type MeasureFamily = z.infer<typeof MeasureFamily>;

export const MeasureFamilyPage = pageOf(MeasureFamily, 'MeasureFamilyPage');

/** What people read of a family: all but how it is computed and parsed. */
export function toMeasureFamily(family: Family): MeasureFamily {
  return MeasureFamily.parse({ ...family, judgedForm: formatJudgedForm(family) });
}
