import type { Baseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { compareSubjects, type SubjectComparison } from './compare-subjects.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { getBaseline } from './save-baseline.ts';

/** Whether an evaluation measured what a baseline did. */
export interface Validity {
  readonly evaluation: string;
  readonly baseline: Baseline;
  /** Everything is the same for the configuration that has the baseline's name. */
  readonly isSame: boolean;
  /** In words, one for each thing that differs; those of configurations with other names begin with theirs. */
  readonly differences: readonly string[];
  /** Each configuration of the evaluation beside the baseline's. */
  readonly configurations: readonly (SubjectComparison & { readonly isSame: boolean })[];
}

/** Holds what an evaluation measured beside what a baseline did, by hash. Refuses unknown ones. */
export async function checkValidity(
  db: Database,
  evaluationId: string,
  baselineName: string,
): Promise<Validity> {
  const evaluation = await getEvaluation(db, evaluationId);
  const baseline = await getBaseline(db, baselineName);
  const subject = {
    evaluation: await getEvaluation(db, baseline.evaluation),
    configuration: await getConfiguration(db, baseline.evaluation, baseline.configuration),
  };
  const configurations = (await listConfigurations(db, evaluationId)).map((configuration) => {
    const compared = compareSubjects(subject, { evaluation, configuration });
    return { ...compared, isSame: listDifferences(compared).length === 0 };
  });
  const named = configurations.find(
    ({ configuration }) => configuration.evaluation.name === baseline.configuration,
  );
  const missing = `the evaluation has no configuration '${baseline.configuration}'`;
  const differences = named ? listDifferences(named) : [missing];
  const isSame = differences.length === 0;
  return { evaluation: evaluationId, baseline, isSame, differences, configurations };
}

/** What differs, in words. */
function listDifferences(compared: SubjectComparison): readonly string[] {
  const { questionSet, selection, configuration, input, serviceVersion } = compared;
  const said = [
    questionSet.isSame ? null : describeQuestionSet(questionSet),
    selection.isSame ? null : 'different questions of the set were selected (split or sample)',
    configuration.isSame ? null : `the configuration differs in ${configuration.fields.join(', ')}`,
    input.isSame ? null : describeInput(input),
    serviceVersion.isSame
      ? null
      : `the baseline was created by service version ${serviceVersion.baseline ?? 'unknown'}, the evaluation by ${serviceVersion.evaluation ?? 'unknown'}`,
  ];
  return said.filter((difference) => difference !== null);
}

function describeQuestionSet({ baseline, evaluation }: SubjectComparison['questionSet']): string {
  if (baseline.name !== evaluation.name) {
    return `the baseline uses question set '${baseline.name}', the evaluation uses '${evaluation.name}'`;
  }
  return `questions or judgments differ: version ${baseline.version} (content ${baseline.contentHash.slice(0, 12)}) in the baseline, ${evaluation.version} (${evaluation.contentHash.slice(0, 12)}) in the evaluation`;
}

function describeInput({ baseline, evaluation }: SubjectComparison['input']): string {
  const nameInput = (input: typeof baseline) =>
    input ? `${input.kind} '${input.name}' (content ${input.contentHash.slice(0, 12)})` : 'AI Core';
  return `the searched data differ: ${nameInput(baseline)} in the baseline, ${nameInput(evaluation)} in the evaluation`;
}
