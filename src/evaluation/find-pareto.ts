import { findFront, type Standing } from '../ir/funnel/dominance.ts';
import type { Measure } from '../ir/measures/measure.ts';
import { createMean } from '../ir/stable-sum.ts';
import type { BootstrapInterval } from '../ir/statistics/bootstrap.ts';
import type { Database } from '../storage/database.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import { findPrices, type PriceTable } from '../storage/prices.ts';
import { usualIntervals } from './create-evaluation.ts';
import { getEndedEvaluation } from './describe-evaluation.ts';
import { readRun, type RunQuestions } from './read-run.ts';
import { reckonCost } from './reckon-cost.ts';
import { runTask } from './run-task.ts';
import { getPrices } from './save-prices.ts';
import type { ScorecardRow } from './scorecard.ts';

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
  readonly prices:
    | (Pick<PriceTable, 'version' | 'contentHash'> & { readonly currency: string })
    | null;
  readonly configurations: readonly ParetoConfiguration[];
}

export interface ParetoConfiguration extends Omit<Standing, 'name'> {
  readonly configuration: string;
  readonly quality: number | null;
  readonly interval: BootstrapInterval | null;
  /** Null: unknown, as nothing was searched for this evaluation. */
  readonly latencyP95Ms: number | null;
  /** Searches and model calls, per question asked. */
  readonly callsPerQuestion: number | null;
  readonly costPerQuestion: number | null;
  readonly missingPrices: readonly string[];
}

/**
 * Quality against what it costs, for all configurations of an evaluation, and which of them are never worth a
 * choice. Quality is over the questions that every configuration scored, so that none wins by failing.
 */
export async function findPareto(
  db: Database,
  evaluationId: string,
  { measure, against, prices: version }: ParetoRequest,
): Promise<Pareto> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const table = version === undefined ? await findPrices(db) : await getPrices(db, version);
  const rows = evaluation.scorecard ?? [];
  const { values, leftOut } = await readCommonValues(db, evaluation, measure);
  const intervals = await findIntervals(values, evaluation);
  const measured = rows.map((row, index) => ({
    configuration: row.configuration,
    quality: toMean(values[index] ?? []),
    interval: intervals[index] ?? null,
    ...findCosts(row, evaluation, table),
  }));
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
    questions: values[0]?.length ?? 0,
    leftOut,
    prices: table ? toPriceReference(table) : null,
    configurations: measured.map((each, index) => ({ ...each, ...toStanding(standings[index]) })),
  };
}

const columnOf = {
  latency: 'latencyP95Ms',
  calls: 'callsPerQuestion',
  cost: 'costPerQuestion',
} as const;

/** By configuration: the values of the questions that all scored, in one order. */
async function readCommonValues(
  db: Database,
  evaluation: StoredEvaluation<readonly ScorecardRow[]>,
  measure: Measure,
): Promise<{ readonly values: readonly (readonly number[])[]; readonly leftOut: number }> {
  const runs: RunQuestions[] = [];
  for (const { configuration } of evaluation.scorecard ?? []) {
    const reference = { evaluation: evaluation.id, configuration };
    runs.push(await readRun(db, reference, { evaluation, measures: [measure] }));
  }
  const scored = new Set(runs.flatMap((run) => [...run.keys()].filter((id) => isScored(run, id))));
  const common = [...scored].filter((id) => runs.every((run) => isScored(run, id)));
  return {
    values: runs.map((run) => common.flatMap((id) => run.get(id)?.values[0] ?? [])),
    leftOut: scored.size - common.length,
  };
}

function isScored(run: RunQuestions, id: string): boolean {
  return run.get(id)?.status === 'scored';
}

async function findIntervals(
  values: readonly (readonly number[])[],
  { plan }: StoredEvaluation,
): Promise<readonly (BootstrapInterval | null)[]> {
  const places = (values[0] ?? []).map((_value, place) => place);
  const options = plan.intervals ?? usualIntervals;
  const found = await runTask('meanIntervals', { columns: values, groups: [places], options });
  return found[0] ?? [];
}

/** What was brought in, or scored again, was not searched here: what it took is unknown, not nothing. */
function findCosts(
  { backend, questions, usage, latencyMs }: ScorecardRow,
  { rescoreOf }: StoredEvaluation,
  table: PriceTable | undefined,
): Pick<
  ParetoConfiguration,
  'latencyP95Ms' | 'callsPerQuestion' | 'costPerQuestion' | 'missingPrices'
> {
  const latencyP95Ms = latencyMs?.p95 ?? null;
  const asked = questions.scored + questions.failed + questions.unanswerable;
  if (backend === 'run' || rescoreOf !== null || asked === 0) {
    return { latencyP95Ms, callsPerQuestion: null, costPerQuestion: null, missingPrices: [] };
  }
  const { amount, missingPrices } = table
    ? reckonCost(usage, table.prices)
    : { amount: null, missingPrices: [] };
  return {
    latencyP95Ms,
    callsPerQuestion: (usage.searches + usage.modelCalls) / asked,
    costPerQuestion: amount === null ? null : amount / asked,
    missingPrices,
  };
}

function toMean(values: readonly number[]): number | null {
  const mean = createMean();
  for (const value of values) mean.add(value);
  return mean.mean ?? null;
}

function toPriceReference({ version, contentHash, prices: { currency } }: PriceTable) {
  return { version, contentHash, currency };
}

function toStanding(standing: Standing | undefined): Omit<Standing, 'name'> {
  const { dominatedBy = [], perhapsDominatedBy = [], isOnFront = null } = standing ?? {};
  return { isOnFront, dominatedBy, perhapsDominatedBy };
}
