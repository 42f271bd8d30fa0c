import type { AverageRule, SliceDimension, Split } from './question.ts';
import type { SearchConfiguration } from './search-configuration.ts';
import type { IntervalOptions } from './evaluation-plan.ts';
import type { GateRequest } from './gate.ts';

export interface EvaluationRequest {
  readonly questionSet: string | { readonly name: string; readonly version: number };
  /** Names of stored configurations, or configurations with their names. */
  readonly configurations: readonly (string | NamedConfiguration)[];
  readonly measures?: readonly string[] | undefined;
  readonly cutoffs?: readonly number[] | undefined;
  /** Over which questions the means go; default: `labelled`. */
  readonly average?: AverageRule | undefined;
  readonly sliceBy: readonly SliceDimension[];
  readonly split?: Split | undefined;
  readonly sample?: { readonly size: number; readonly seed: number } | undefined;
  readonly label?: string | undefined;
  readonly intervals?: boolean | IntervalOptions | undefined;
  readonly bounds?: boolean | undefined;
  readonly diagnose?: boolean | 'deep' | undefined;
  /** Whether each configuration with stages is evaluated without them too. */
  readonly ablate?: boolean | undefined;
  readonly gate?: GateRequest | undefined;
}

export type NamedConfiguration = SearchConfiguration & { readonly name: string };
