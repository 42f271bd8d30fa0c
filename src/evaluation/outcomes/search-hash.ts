import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import { hashCanonical } from '../../model/hash-content.ts';

/** What a configuration searches, without the stages around it: configurations that search alike have one hash. */
export function hashSearch({
  configuration,
}: Pick<EvaluationConfiguration, 'configuration'>): string {
  const { pipeline: _stages, ...search } = configuration;
  return hashCanonical(search);
}
