import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';

/**
 * The configurations whose searches are made together, so that none is paid twice: the variants of an ablation.
 * Each other configuration is a group of its own. A group goes by the position of its first.
 */
export function groupConfigurations(
  { ablations = [] }: Pick<EvaluationPlan, 'ablations'>,
  configurations: readonly EvaluationConfiguration[],
): readonly (readonly EvaluationConfiguration[])[] {
  const leaders = new Map(
    ablations.flatMap(({ variants }) =>
      variants.map(({ configuration }) => [configuration, variants[0]?.configuration] as const),
    ),
  );
  const groups = new Map<string, EvaluationConfiguration[]>();
  for (const configuration of configurations) {
    const leader = leaders.get(configuration.name) ?? configuration.name;
    groups.set(leader, [...(groups.get(leader) ?? []), configuration]);
  }
  return [...groups.values()];
}
