import { listRewrites, type PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type {
  AblationVariant,
  EvaluationPlan,
  PlannedAblation,
} from '../../model/evaluation-plan.ts';

type Named = SearchConfiguration & { readonly name: string };

export interface AblationPlan {
  readonly configurations: readonly Named[];
  readonly ablations: readonly PlannedAblation[];
}

/**
 * Puts beside each configuration with stages the same without one of them and without any. The configuration
 * itself is the variant with all its stages and keeps its name; the others are named after it.
 */
export function planAblations(configurations: readonly Named[]): AblationPlan {
  const taken = new Set(configurations.map(({ name }) => name));
  const all: Named[] = [];
  const ablations: PlannedAblation[] = [];
  for (const configuration of configurations) {
    const { own, others } = listVariants(configuration.pipeline ?? {});
    const variants = others.map(({ variant, suffix, pipeline }) => {
      const name = findFreeName(configuration.name, suffix, taken);
      taken.add(name);
      all.push({ ...configuration, pipeline, name });
      return { variant, configuration: name };
    });
    all.push(configuration);
    if (!own) continue;
    const complete = { variant: own, configuration: configuration.name };
    ablations.push({ configuration: configuration.name, variants: [...variants, complete] });
  }
  return { configurations: all, ablations };
}

/** Whether a configuration only explains another one and is no candidate. */
export function isVariant(
  { ablations = [] }: Pick<EvaluationPlan, 'ablations'>,
  name: string,
): boolean {
  return ablations.some(
    ({ configuration, variants }) =>
      name !== configuration && variants.some((each) => each.configuration === name),
  );
}

interface Variant {
  readonly variant: AblationVariant;
  readonly suffix: string;
  readonly pipeline: PipelineConfiguration;
}

function listVariants(pipeline: PipelineConfiguration): {
  /** What the configuration itself is; undefined: it has no stage to leave out. */
  readonly own: AblationVariant | undefined;
  readonly others: readonly Variant[];
} {
  const { rerank, candidates, ...rewriting } = pipeline;
  const isRewritten = listRewrites(pipeline).length > 0;
  // Without stages, not without a pipeline: it leaves the same trace and can share its search.
  const plain = { variant: 'plain', suffix: '.plain', pipeline: {} } as const;
  if (!isRewritten && !rerank) return { own: undefined, others: [] };
  if (!rerank) return { own: '+rewrite', others: [plain] };
  if (!isRewritten) return { own: '+rerank', others: [plain] };
  return {
    own: '+both',
    others: [
      plain,
      { variant: '+rewrite', suffix: '.rewrite', pipeline: rewriting },
      { variant: '+rerank', suffix: '.rerank', pipeline: { candidates, rerank } },
    ],
  };
}

/** The longest that a name may be. */
const maxNameLength = 64;

/** `name.suffix`, the name cut where that is too long, with a number behind it where that is taken. */
function findFreeName(name: string, suffix: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? suffix : `${suffix}-${number}`;
    const candidate = `${name.slice(0, maxNameLength - end.length)}${end}`;
    if (!taken.has(candidate)) return candidate;
  }
}
