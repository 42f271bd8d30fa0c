import { AppError } from '../../errors.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import type { MeanInterval } from '../../ir/statistics/mean-interval.ts';
import type { Database } from '../../storage/database/database.ts';
import type { AblationVariant, PlannedAblation } from '../../model/evaluation-plan.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findPrices } from '../../storage/catalog/prices.ts';
import {
  findIntervals,
  readCommonValues,
  toMean,
  type CommonValues,
} from '../comparison/common-values.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { getConfiguration, getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import { diagnoseQuestions, type DiagnosedQuestion } from '../diagnosis/diagnose-questions.ts';
import { summarizeDiagnosis } from '../diagnosis/diagnosis.ts';
import { toPriceReference, type PriceReference } from './find-pareto.ts';
import { toOptions } from '../diagnosis/read-diagnosis.ts';
import { findRowCosts, readCommonUsage, type RowCosts } from './row-costs.ts';
import type { PriceTable } from '../../model/prices.ts';

/** One configuration with each of its stages on and off, over the questions that every variant scored. */
export interface Ablation {
  readonly configuration: string;
  readonly measure: string;
  readonly questions: number;
  readonly leftOut: number;
  readonly prices: PriceReference | null;
  readonly variants: readonly MeasuredVariant[];
  readonly steps: readonly AblationStep[];
}

export interface MeasuredVariant extends RowCosts {
  readonly variant: AblationVariant;
  readonly configuration: string;
  readonly mean: number | null;
  /** How many relevant documents come how far; each is part of the one before. */
  readonly funnel: {
    readonly k: number;
    readonly relevant: number;
    /** In the list of any version of the question. */
    readonly found: number;
    readonly inTopK: number;
  };
}

/** What adding one stage did. */
export interface AblationStep {
  readonly stage: 'rewrite' | 'rerank';
  readonly from: AblationVariant;
  readonly to: AblationVariant;
  readonly meanDifference: number | null;
  readonly interval: MeanInterval | null;
  readonly gained: ChangedQuestions;
  readonly lost: ChangedQuestions;
}

export interface ChangedQuestions {
  readonly count: number;
  /** Those that changed most, most first. */
  readonly questions: readonly ChangedQuestion[];
}

interface ChangedQuestion {
  readonly id: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly difference: number;
}

export async function readAblation(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  request: { readonly configuration: string; readonly measure: Measure; readonly limit: number },
): Promise<Ablation> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const ablation = getAblation(evaluation, request.configuration);
  const { measure, limit } = request;
  const table = await findPrices(db);
  return memory.getOrCompute(
    { db, evaluation },
    ['ablation', ablation.configuration, measure.name, limit, table?.version ?? 0],
    () => measureAblation(db, evaluation, { ...ablation, measure, limit, table }),
  );
}

interface MeasuredAblation extends PlannedAblation {
  readonly measure: Measure;
  readonly limit: number;
  readonly table: PriceTable | undefined;
}

async function measureAblation(
  db: Database,
  evaluation: StoredEvaluation,
  { configuration, variants, measure, limit, table }: MeasuredAblation,
): Promise<Ablation> {
  const names = variants.map((each) => each.configuration);
  const common = await readCommonValues(db, evaluation, { configurations: names, measure });
  const asked = new Set(common.questions.map(({ id }) => id));
  const measured: MeasuredVariant[] = [];
  for (const [index, each] of variants.entries()) {
    const values = common.values[index] ?? [];
    measured.push(await measureVariant(db, evaluation, { ...each, values, asked, table }));
  }
  return {
    configuration,
    measure: measure.name,
    questions: common.questions.length,
    leftOut: common.leftOut,
    prices: table ? toPriceReference(table) : null,
    variants: measured,
    steps: await findSteps(evaluation, { variants, common, limit }),
  };
}

function getAblation(
  { id, plan: { ablations = [] } }: StoredEvaluation,
  name: string,
): PlannedAblation {
  const found = ablations.find(({ configuration }) => configuration === name);
  if (found) return found;
  const message = `Evaluation '${id}' has no ablation of '${name}'; create an evaluation with "ablate": true`;
  throw new AppError('not-found', message);
}

async function measureVariant(
  db: Database,
  evaluation: StoredEvaluation,
  {
    variant,
    configuration: name,
    values,
    asked,
    table,
  }: PlannedAblation['variants'][number] & {
    readonly values: readonly number[];
    /** By id: the questions that every variant has in its means. */
    readonly asked: ReadonlySet<string>;
    readonly table: PriceTable | undefined;
  },
): Promise<MeasuredVariant> {
  const configuration = await getConfiguration(db, evaluation.id, name);
  const options = toOptions(evaluation.plan, {});
  const diagnosed = keepAsked(diagnoseQuestions(db, evaluation, configuration, options), asked);
  const { relevant, lost, causes } = await summarizeDiagnosis(diagnosed, options, []);
  const used = await readCommonUsage(db, evaluation, configuration, asked);
  const missed = causes.absent.documents + causes.filtered.documents;
  return {
    variant,
    configuration: name,
    mean: toMean(values),
    funnel: { k: options.k, relevant, found: relevant - missed, inTopK: relevant - lost },
    ...findRowCosts(used, configuration, table),
  };
}

async function* keepAsked(
  diagnosed: AsyncIterable<DiagnosedQuestion>,
  asked: ReadonlySet<string>,
): AsyncGenerator<DiagnosedQuestion> {
  for await (const each of diagnosed) if (asked.has(each.question.id)) yield each;
}

/** Each stage, without and with the other. */
const steps = [
  { stage: 'rewrite', from: 'plain', to: '+rewrite' },
  { stage: 'rerank', from: 'plain', to: '+rerank' },
  { stage: 'rerank', from: '+rewrite', to: '+both' },
  { stage: 'rewrite', from: '+rerank', to: '+both' },
] as const;

async function findSteps(
  evaluation: StoredEvaluation,
  {
    variants,
    common,
    limit,
  }: {
    readonly variants: PlannedAblation['variants'];
    readonly common: CommonValues;
    readonly limit: number;
  },
): Promise<readonly AblationStep[]> {
  const columns = new Map(
    variants.map(({ variant }, index) => [variant, common.values[index] ?? []]),
  );
  const taken = steps.flatMap((step) => {
    const from = columns.get(step.from);
    const to = columns.get(step.to);
    return from && to ? [{ step, changed: toChanges(common, from, to) }] : [];
  });
  const differences = taken.map(({ changed }) => changed.map(({ difference }) => difference));
  const intervals = await findIntervals(differences, null, evaluation);
  return taken.map(({ step, changed }, index) => ({
    ...step,
    meanDifference: toMean(differences[index] ?? []),
    interval: intervals[index] ?? null,
    gained: toChangedQuestions(changed, limit, ({ difference }) => difference),
    lost: toChangedQuestions(changed, limit, ({ difference }) => -difference),
  }));
}

function toChanges(
  { questions }: CommonValues,
  from: readonly number[],
  to: readonly number[],
): readonly ChangedQuestion[] {
  return questions.map(({ id, text }, index) => {
    const [before, after] = [from[index] ?? 0, to[index] ?? 0];
    return { id, text, from: before, to: after, difference: after - before };
  });
}

function toChangedQuestions(
  changes: readonly ChangedQuestion[],
  limit: number,
  gain: (question: ChangedQuestion) => number,
): ChangedQuestions {
  const changed = changes
    .filter((question) => gain(question) > sameWithin)
    .toSorted((a, b) => gain(b) - gain(a));
  return { count: changed.length, questions: changed.slice(0, limit) };
}

/** Two values of a measure that differ by less differ by rounding. */
const sameWithin = 1e-12;
