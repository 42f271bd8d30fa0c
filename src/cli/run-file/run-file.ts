import { z } from 'zod';

import { EvaluationInput } from '../../schemas/evaluation-input.ts';
import { GateInput } from '../../schemas/gate-input.ts';
import { InlineSearchConfiguration } from '../../schemas/search-configuration.ts';
import { Name } from '../../schemas/vocabulary.ts';

const Path = z.string().min(1, 'must be the path of a file');

const [Local, Run, ...others] = InlineSearchConfiguration.options;

const Configuration = z.discriminatedUnion('backend', [
  Local.extend({
    corpus: Name.optional().meta({ description: 'Default: the corpus of this file.' }),
  }),
  Run.extend({ run: Path.meta({ description: 'A file with rankings, or @NAME with --url.' }) }),
  ...others,
]);

const { baseline: _named, ...gateRules } = GateInput.shape;
const {
  questionSet: _set,
  configurations: _all,
  gate: _gate,
  label: _label,
  probe: _probe,
  ...plan
} = EvaluationInput.in.shape;

/** What `grounding-eval run` reads. The gate's rules, the plan and the configurations are those of POST /v1/eval. */
export const RunFile = z
  .strictObject({
    name: Name.optional().meta({
      description:
        'Names the question set, the corpus and the reports. Default: the name of the file.',
    }),
    questionSet: z
      .union([Path, z.strictObject({ questions: Path, qrels: Path.optional() })])
      .meta({ description: 'A file with questions or qrels, both, or @NAME with --url.' }),
    corpus: Path.optional().meta({
      description: 'A file with the documents that the backend local searches.',
    }),
    configurations: z.array(Configuration).min(1).max(20),
    ...plan,
    baseline: z.string().min(1).optional().meta({
      description: 'A configuration of this file, or @NAME of a baseline with --url or --store.',
    }),
    gate: z.strictObject(gateRules).optional(),
    reports: z
      .strictObject({
        junit: Path.optional(),
        markdown: Path.optional(),
        html: Path.optional(),
        csv: Path.optional(),
        json: Path.optional(),
      })
      .optional()
      .meta({ description: 'Files to write, by format.' }),
  })
  .meta({ title: 'grounding-eval.yaml', description: 'What grounding-eval run evaluates.' });
export type RunFile = z.infer<typeof RunFile>;

/** For editors: the file before defaults are filled in. */
export function toJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(RunFile, { io: 'input', unrepresentable: 'any' });
}
