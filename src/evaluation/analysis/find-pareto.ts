import { findFront, type Standing, type Tolerance } from '../../ir/funnel/dominance.ts';
import { rangeOf } from '../../ir/measures/measure-range.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import type { MeanInterval } from '../../ir/statistics/mean-interval.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findPrices } from '../../storage/catalog/prices.ts';
import { findIntervals, readCommonValues, toMean } from '../comparison/common-values.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findRowCosts, readCommonUsage, type CommonUsage, type RowCosts } from './row-costs.ts';
import { getPrices } from '../catalog/save-prices.ts';
import type { PriceTable } from '../../model/prices.ts';

export const paretoAxes = ['latency', 'calls', 'cost'] as const;
export type ParetoAxis = (typeof paretoAxes)[number];

export interface ParetoRequest {
  readonly measure: Measure;
  /** What quality is compared with. */
  readonly against: readonly ParetoAxis[];
  /** A version of the price table; absent: the latest, if there is any. */
  readonly prices?: number | undefined;
}

export interface Pareto {
  readonly measure: string;
  readonly against: readonly ParetoAxis[];
  /** Scored in every configuration: the means are over these. */
  readonly questions: number;
  /** Scored in some configuration, but not in all. */
  readonly leftOut: number;
  readonly prices: PriceReference | null;
  readonly configurations: readonly ParetoConfiguration[];
}

export interface PriceReference {
  readonly version: number;
  readonly contentHash: string;
  readonly currency: string;
}

interface ParetoStanding extends Omit<Standing, 'name'> {
  /** The former name of `possiblyDominatedBy`, returned for one more release. */
  readonly perhapsDominatedBy: readonly string[];
}

export interface ParetoConfiguration extends ParetoStanding, RowCosts {
  readonly configuration: string;
  readonly quality: number | null;
  readonly interval: MeanInterval | null;
  /** Of all questions that it was asked: its searches that failed. */
  readonly failed: number;
}

/**
 * Quality against what it costs, for all configurations of an evaluation, and which of them are never worth a
 * choice. Quality, time, calls and cost are over the questions that every configuration has in its means, so
 * that none wins by failing.
 */
export async function findPareto(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  { measure, against, prices: version }: ParetoRequest,
): Promise<Pareto> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const table = version === undefined ? await findPrices(db) : await getPrices(db, version);
  const rows = evaluation.scorecard ?? [];
  const stored = rows.length > 0 ? await listConfigurations(db, evaluationId) : [];
  const { questions, leftOut, qualities } = await memory.getOrCompute(
    { db, evaluation },
    ['qualities', measure.name],
    () => findQualities(db, evaluation, { configurations: stored, measure }),
  );
  const measured = stored.flatMap((configuration, index) => {
    const row = rows.find((each) => each.configuration === configuration.name);
    if (!row) return [];
    const { quality = null, interval = null, used } = qualities[index] ?? {};
    return {
      configuration: configuration.name,
      quality,
      interval,
      failed: row.questions.failed,
      ...findRowCosts(used, configuration, table),
    };
  });
  const standings = findFront(
    measured.map((each) => ({
      name: each.configuration,
      quality: each.quality,
      failures: each.failed,
      costs: against.map((axis) => each[columnOf[axis]]),
    })),
    against.map((axis) => sameWithin[axis]),
  );
  return {
    measure: measure.name,
    against,
    questions,
    leftOut,
    prices: table ? toPriceReference(table) : null,
    configurations: measured.map((each, index) => ({ ...each, ...toStanding(standings[index]) })),
  };
}

/** In the order of the configurations. */
interface Qualities extends Pick<Pareto, 'questions' | 'leftOut'> {
  readonly qualities: readonly (Pick<ParetoConfiguration, 'quality' | 'interval'> & {
    readonly used?: CommonUsage | undefined;
  })[];
}

async function findQualities(
  db: Database,
  evaluation: StoredEvaluation,
  {
    configurations,
    measure,
  }: { readonly configurations: readonly EvaluationConfiguration[]; readonly measure: Measure },
): Promise<Qualities> {
  const names = configurations.map(({ name }) => name);
  const asked = { configurations: names, measure };
  const { questions, values, leftOut } = await readCommonValues(db, evaluation, asked);
  const common = new Set(questions.map(({ id }) => id));
  const used: (CommonUsage | undefined)[] = [];
  for (const each of configurations) {
    used.push(await readCommonUsage(db, evaluation, each, common));
  }
  const intervals = await findIntervals(values, rangeOf(asked.measure), evaluation);
  const qualities = values.map((column, index) => {
    return { quality: toMean(column), interval: intervals[index] ?? null, used: used[index] };
  });
  return { questions: questions.length, leftOut, qualities };
}

const columnOf = {
  latency: 'latencyP95Ms',
  calls: 'callsPerQuestion',
  cost: 'costPerQuestion',
} as const;

/** What is equal. A time that is measured again differs by as much without a cause. */
const sameWithin: Readonly<Record<ParetoAxis, Tolerance>> = {
  latency: { share: 0.05, amount: 1 },
  calls: { share: 0.05, amount: 0 },
  cost: { share: 0.05, amount: 0 },
};

export function toPriceReference(table: PriceTable): PriceReference {
  const { version, contentHash, prices } = table;
  return { version, contentHash, currency: prices.currency };
}

function toStanding(standing: Standing | undefined): ParetoStanding {
  const { dominatedBy = [], possiblyDominatedBy = [], isOnFront = null } = standing ?? {};
  return { isOnFront, dominatedBy, possiblyDominatedBy, perhapsDominatedBy: possiblyDominatedBy };
}
