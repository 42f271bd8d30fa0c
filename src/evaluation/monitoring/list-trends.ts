import { setImmediate } from 'node:timers/promises';

import { AppError, InvalidInputError } from '../../errors.ts';
import { isBounded, type Measure } from '../../ir/measures/measure.ts';
import { createDropTest, type DropTestOptions } from '../../ir/statistics/sequential-drop.ts';
import type { Baseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { listTrendRuns } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { RunDifferences } from '../../storage/evaluations/run-differences.ts';
import { compareSubjects, type MeasuredSubject } from '../gates/compare-subjects.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { createRunDifferencesReader } from './run-differences.ts';
import { findRunIssues, otherQuestions, type RunIssue } from './run-issues.ts';
import { parseMeasures } from '../measures/resolve-measures.ts';
import { getBaseline } from '../gates/save-baseline.ts';

export interface TrendRequest extends DropTestOptions {
  readonly baseline: string;
  /** Default: those of the baseline's evaluation but judged@k. */
  readonly measures?: readonly string[] | undefined;
  readonly allowedFailedShare: number;
  /** Only evaluations with this label. */
  readonly label?: string | undefined;
  /** How many nights are listed, the latest ones; the drift verdict is over all. */
  readonly limit: number;
}

export interface Trends {
  readonly baseline: Baseline;
  readonly series: readonly TrendSeries[];
}

/** One measure of the baseline's configuration since the baseline. */
export interface TrendSeries {
  readonly configuration: string;
  readonly measure: string;
  readonly drift: Drift;
  /** In the order of their ends. */
  readonly nights: readonly TrendPoint[];
}

export interface Drift {
  /** `worse` from the first alarm on, until the baseline is another; `inconclusive` does not mean equal. */
  readonly verdict: 'worse' | 'inconclusive';
  readonly evidence: number;
  readonly threshold: number;
  readonly validNights: number;
  readonly invalidNights: number;
  /** The night whose evidence first reached the threshold. */
  readonly alarm: { readonly evaluation: string; readonly finishedAt: string } | null;
}

export interface TrendPoint extends Omit<RunDifferences, 'differences' | 'onlyOneSide'> {
  readonly evaluation: string;
  readonly label: string | null;
  readonly finishedAt: string;
  readonly serviceVersion: string | null;
  readonly status: 'valid' | 'invalid';
  readonly faults: readonly RunIssue[];
  readonly questions: number;
  readonly evidence: number;
  readonly margin: number | null;
}

/**
 * The nights since a baseline with the same question set and configuration name, and for each measure
 * whether search got worse. An invalid night is listed with its reasons and is no evidence of anything.
 */
export async function listTrends(db: Database, request: TrendRequest): Promise<Trends> {
  const baseline = await getBaseline(db, request.baseline);
  const { configuration: name } = baseline;
  const evaluation = await getEvaluation(db, baseline.evaluation);
  const configuration = await getConfiguration(db, evaluation.id, name);
  const measures = boundedMeasures(request, evaluation);
  const reader = createRunDifferencesReader(db, {
    baseline: evaluation,
    configuration: name,
    measures,
  });
  const collectors = measures.map(({ name: measure }) => createSeries(request, name, measure));
  const nights = await listTrendRuns(db, {
    questionSet: evaluation.questionSet,
    configuration: name,
    finishedAt: evaluation.finishedAt ?? '',
    label: request.label,
  });
  for (const night of nights.filter(({ id }) => id !== evaluation.id)) {
    const faults = await faultsOf(db, { evaluation, configuration }, { night, request });
    const found = faults.length === 0 ? await reader.read(night) : [];
    for (const [index, collector] of collectors.entries()) {
      collector.add(night, faults, found[index]);
    }
    await setImmediate();
  }
  return { baseline, series: collectors.map(({ toSeries }) => toSeries()) };
}

/** The test needs differences within ±1, which every measure has but DCG. How much is judged is no quality of search. */
function boundedMeasures(
  { measures }: TrendRequest,
  { plan }: StoredEvaluation,
): readonly Measure[] {
  const parsed = parseMeasures(measures ?? plan.measures, '/query/measure');
  const bounded = parsed.filter(isBounded);
  if (measures === undefined) return bounded.filter(({ family }) => family !== 'judged');
  if (bounded.length === parsed.length) return bounded;
  const detail = 'has no upper bound, which the test requires; use nDCG';
  throw new InvalidInputError('The measure does not support trends', [
    { pointer: '/query/measure', detail },
  ]);
}

async function faultsOf(
  db: Database,
  baseline: MeasuredSubject,
  {
    night,
    request,
  }: {
    readonly night: StoredEvaluation;
    readonly request: TrendRequest;
  },
): Promise<readonly RunIssue[]> {
  const { name } = baseline.configuration;
  const configurations = await listConfigurations(db, night.id);
  const configuration = configurations.find((other) => other.name === name);
  if (!configuration) {
    throw new AppError('not-found', `Evaluation '${night.id}' has no configuration '${name}'`);
  }
  const compared = compareSubjects(baseline, { evaluation: night, configuration });
  const row = night.scorecard?.find((other) => other.configuration === name);
  const { allowedFailedShare } = request;
  return findRunIssues(night, compared, { row, allowedFailedShare });
}

interface SeriesCollector {
  /** Takes the next night; `found` is absent when it has faults. */
  readonly add: (
    night: StoredEvaluation,
    faults: readonly RunIssue[],
    found: RunDifferences | undefined,
  ) => void;
  readonly toSeries: () => TrendSeries;
}

function createSeries(
  request: TrendRequest,
  configuration: string,
  measure: string,
): SeriesCollector {
  const test = createDropTest(request);
  const nights: TrendPoint[] = [];
  return {
    add(night, known, found) {
      const faults = found && found.onlyOneSide > 0 ? [otherQuestions] : known;
      const isValid = faults.length === 0 && found !== undefined;
      const { evidence, margin } = test.add(isValid ? found.differences : null);
      const row = night.scorecard?.find((other) => other.configuration === configuration);
      nights.push({
        evaluation: night.id,
        label: night.label,
        finishedAt: night.finishedAt ?? '',
        serviceVersion: night.plan.serviceVersion ?? null,
        status: isValid ? 'valid' : 'invalid',
        faults,
        questions: found?.differences.length ?? 0,
        means: found?.means ?? { baseline: null, night: row?.measures[measure] ?? null },
        meanDifference: isValid ? found.meanDifference : null,
        interval: isValid ? found.interval : null,
        evidence,
        margin,
      });
    },
    toSeries: () => ({
      configuration,
      measure,
      drift: judgeDrift(nights, test.threshold),
      nights: nights.slice(-request.limit),
    }),
  };
}

function judgeDrift(nights: readonly TrendPoint[], threshold: number): Drift {
  const first = nights.find(({ evidence }) => evidence >= threshold);
  const validNights = nights.filter(({ status }) => status === 'valid').length;
  return {
    verdict: first ? 'worse' : 'inconclusive',
    evidence: nights.at(-1)?.evidence ?? 1,
    threshold,
    validNights,
    invalidNights: nights.length - validNights,
    alarm: first ? { evaluation: first.evaluation, finishedAt: first.finishedAt } : null,
  };
}
