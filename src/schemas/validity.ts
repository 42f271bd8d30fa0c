import { z } from 'zod';

import { BaselineDetail } from './baseline.ts';
import { Name } from './vocabulary.ts';

const QuestionSetFact = z.object({ name: z.string(), version: z.int(), contentHash: z.string() });
const SelectionFact = z.object({
  split: z.string().nullable(),
  sample: z.object({ size: z.int(), seed: z.int() }).nullable(),
});
const ConfigurationFact = z.object({ name: z.string(), backend: z.string(), hash: z.string() });
const InputFact = z
  .object({ kind: z.enum(['corpus', 'run']), name: z.string(), contentHash: z.string() })
  .nullable();

const isSame = z.boolean();

const SubjectComparison = z
  .object({
    isSame: z.boolean().meta({ description: 'Whether all of the following are the same.' }),
    questionSet: z
      .object({ isSame, baseline: QuestionSetFact, evaluation: QuestionSetFact })
      .meta({ description: 'By name and content; the version number does not matter.' }),
    selection: z.object({ isSame, baseline: SelectionFact, evaluation: SelectionFact }),
    configuration: z.object({
      isSame,
      fields: z.array(z.string()).meta({ description: 'The fields that differ.' }),
      baseline: ConfigurationFact,
      evaluation: ConfigurationFact,
    }),
    input: z.object({ isSame, baseline: InputFact, evaluation: InputFact }).meta({
      description:
        'The corpus or run that was searched; null for AI Core, whose documents have no hash.',
    }),
    serviceVersion: z.object({
      isSame,
      baseline: z.string().nullable(),
      evaluation: z.string().nullable(),
    }),
  })
  .meta({ id: 'SubjectComparison' });

export const ValidityQuery = z.strictObject({ baseline: Name });

export const Validity = z
  .object({
    evaluation: z.string(),
    baseline: BaselineDetail,
    isSame: z.boolean().meta({
      description:
        'Whether everything is the same, for the configuration with the name of the baseline.',
    }),
    differences: z
      .array(z.string())
      .meta({ description: 'The differences for this configuration, in words.' }),
    configurations: z.array(SubjectComparison).meta({
      description:
        'One entry for each input of the evaluation, compared with that of the baseline.',
    }),
  })
  .meta({ id: 'Validity' });
export type Validity = z.infer<typeof Validity>;
