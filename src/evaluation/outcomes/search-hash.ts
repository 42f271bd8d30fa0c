import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import { hashCanonical } from '../../model/hash-content.ts';

/** What a configuration searches, without the stages around it: configurations that search alike have one hash. */
export function hashSearch({ body }: Pick<EvaluationConfiguration, 'body'>): string {
  const { pipeline: _stages, ...search } = JSON.parse(body) as Record<string, unknown>;
  return hashCanonical(search);
}
