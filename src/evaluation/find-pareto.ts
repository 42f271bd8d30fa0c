import { findFront, type Standing } from '../ir/funnel/dominance.ts';
import type { Measure } from '../ir/measures/measure.ts';
import type { BootstrapInterval } from '../ir/statistics/bootstrap.ts';
import type { Database } from '../storage/database.ts';
import { listConfigurations } from '../storage/evaluation-configurations.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import { findPrices, type PriceTable } from '../storage/prices.ts';
import { findIntervals, readCommonValues, toMean } from './common-values.ts';
import type { DerivedMemory } from './derived-memory.ts';
import { getEndedEvaluation } from './describe-evaluation.ts';
import { findRowCosts, type RowCosts } from './row-costs.ts';
import { getPrices } from './save-prices.ts';

export const paretoAxes = ['latency', 'calls', 'cost'] as const;
export type ParetoAxis = (typeof paretoAxes)[number];

export interface ParetoRequest {
  readonly measure: Measure;
  /** What quality is held against. */
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

export interface ParetoConfiguration extends Omit<Standing, 'name'>, RowCosts {
  readonly configuration: string;
  readonly quality: number | null;
  readonly interval: BootstrapInterval | null;
}

/**
 * Quality against what it costs, for all configurations of an evaluation, and which of them are never worth a
 * choice. Quality is over the questions that every configuration scored, so that none wins by failing.
 */
export async function findPareto(
  { db, memory }: { readonly db: Database; readonly memory: DerivedMemory },
  evaluationId: string,
  { measure, against, prices: version }: ParetoRequest,
): Promise<Pareto> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const table = version === undefined ? await findPrices(db) : await getPrices(db, version);
  const rows = evaluation.scorecard ?? [];
  const stored = rows.length > 0 ? await listConfigurations(db, evaluationId) : [];
  const configurations = stored.map(({ name }) => name);
  const { questions, leftOut, qualities } = await memory.recall(
    { db, evaluation },
    ['qualities', measure.name],
    () => findQualities(db, evaluation, { configurations, measure }),
  );
  const measured = stored.flatMap((configuration, index) => {
    const row = rows.find((each) => each.configuration === configuration.name);
    if (!row) return [];
    return {
      configuration: configuration.name,
      quality: qualities[index]?.quality ?? null,
      interval: qualities[index]?.interval ?? null,
      ...findRowCosts(row, evaluation, { configuration, table }),
    };
  });
  const standings = findFront(
    measured.map((each) => ({
      name: each.configuration,
      quality: each.quality,
      costs: against.map((axis) => each[columnOf[axis]]),
    })),
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
  readonly qualities: readonly Pick<ParetoConfiguration, 'quality' | 'interval'>[];
}

async function findQualities(
  db: Database,
  evaluation: StoredEvaluation,
  asked: { readonly configurations: readonly string[]; readonly measure: Measure },
): Promise<Qualities> {
  const { questions, values, leftOut } = await readCommonValues(db, evaluation, asked);
  const intervals = await findIntervals(values, evaluation);
  const qualities = values.map((column, index) => {
    return { quality: toMean(column), interval: intervals[index] ?? null };
  });
  return { questions: questions.length, leftOut, qualities };
}

const columnOf = {
  latency: 'latencyP95Ms',
  calls: 'callsPerQuestion',
  cost: 'costPerQuestion',
} as const;

export function toPriceReference(table: PriceTable): PriceReference {
  const { version, contentHash, prices } = table;
  return { version, contentHash, currency: prices.currency };
}

function toStanding(standing: Standing | undefined): Omit<Standing, 'name'> {
  const { dominatedBy = [], perhapsDominatedBy = [], isOnFront = null } = standing ?? {};
  return { isOnFront, dominatedBy, perhapsDominatedBy };
}
