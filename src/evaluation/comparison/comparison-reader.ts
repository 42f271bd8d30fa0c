import { NotFoundError } from '../../errors.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { getConfiguration } from '../lifecycle/describe-evaluation.ts';
import type { Evaluations } from './find-comparable.ts';
import { findHighestGrade } from '../measures/find-max-grade.ts';
import {
  readJudgments,
  readRankings,
  streamRankedQuestions,
  type JudgmentsByQuestion,
  type LocatedRun,
  type RankedQuestion,
  type RunRankings,
} from './ranked-questions.ts';
import { nameRuns } from './name-runs.ts';
import { listHeads, type PositionedAsked } from './asked-heads.ts';
import { readRun, type RunPair, type RunQuestions, type RunReference } from './read-run.ts';
import type { SliceDimension } from '../../model/question.ts';

/** Reads what comparisons of some evaluations need, each thing once, however many comparisons need it. */
export interface ComparisonReader {
  readonly readValues: (reference: RunReference) => Promise<RunQuestions>;
  /** What the sides of a pair are called in a sentence. */
  readonly nameSides: (pair: RunPair) => RunNames;
  /** How many questions the run's evaluation was to ask, and how it ended. */
  readonly findScope: (reference: RunReference) => Promise<RunScope>;
  readonly readRankings: (reference: RunReference) => Promise<RunRankings>;
  /** The answers of runs to each question of the first evaluation, read as far as they are taken. */
  readonly streamRankings: (runs: readonly RunReference[]) => AsyncIterable<RankedQuestion>;
  /** The version that all the evaluations are over. */
  readonly readJudgments: () => Promise<JudgmentsByQuestion>;
  readonly findHighestGrade: () => Promise<number>;
  /** All runs of these evaluations. */
  readonly listRuns: (ids: Iterable<string>) => Promise<readonly RunReference[]>;
}

export type RunNames = Readonly<Record<keyof RunPair, string>>;

interface RunScope {
  readonly asked: number;
  readonly status: StoredEvaluation['status'];
}

export function createComparisonReader(
  db: Database,
  evaluations: Evaluations,
  measures: readonly Measure[],
  sliceBy: readonly SliceDimension[] = [],
): ComparisonReader {
  const values = new Map<string, Promise<RunQuestions>>();
  const heads = new Map<string, ReturnType<typeof listHeads>>();
  const rankings = new Map<string, Promise<RunRankings>>();
  const judgments = new Map<string, Promise<JudgmentsByQuestion>>();
  const grades = new Map<string, Promise<number>>();
  const get = (id: string) => getOne(evaluations, id);
  const any = () => getOne(evaluations, [...evaluations.keys()][0] ?? '');

  async function readAnswers(reference: RunReference): Promise<RunRankings> {
    const { evaluation: id, configuration } = reference;
    const { position } = await getConfiguration(db, id, configuration);
    return readRankings(db, get(id), position);
  }

  function listAsked(evaluation: StoredEvaluation): ReturnType<typeof listHeads> {
    const { questionSet, version, plan } = evaluation;
    const selection = JSON.stringify([questionSet, version, plan.split, plan.positions]);
    return once(heads, selection, () => listHeads(db, evaluation, sliceBy));
  }

  async function locate(run: RunReference): Promise<LocatedRun> {
    const { position } = await getConfiguration(db, run.evaluation, run.configuration);
    return toLocatedRun(run, position, await listAsked(get(run.evaluation)));
  }

  async function* streamRankings(runs: readonly RunReference[]): AsyncGenerator<RankedQuestion> {
    const located: LocatedRun[] = [];
    for (const run of runs) located.push(await locate(run));
    yield* streamRankedQuestions(db, any(), located);
  }

  return {
    readValues: (reference) =>
      once(values, toKey(reference), () => {
        const evaluation = get(reference.evaluation);
        return readRun(db, reference, {
          evaluation,
          measures,
          sliceBy,
          withUncertainty: true,
          listAsked: () => listAsked(evaluation),
        });
      }),
    nameSides: (pair) => nameSides(pair, evaluations),
    findScope: ({ evaluation }) => findScope(db, get(evaluation)),
    readRankings: (reference) => once(rankings, toKey(reference), () => readAnswers(reference)),
    streamRankings,
    readJudgments: () => once(judgments, '', () => readJudgments(db, any())),
    findHighestGrade: () => once(grades, '', () => findHighestGrade(db, any())),
    listRuns: (ids) => listRuns(db, ids),
  };
}

function toLocatedRun(
  run: RunReference,
  configuration: number,
  asked: readonly PositionedAsked[],
): LocatedRun {
  const places = new Map(asked.map(({ position, head }) => [head.id, position]));
  return { name: toKey(run), evaluationId: run.evaluation, configuration, places };
}

function nameSides({ baseline, candidate }: RunPair, evaluations: Evaluations): RunNames {
  const [first, second] = nameRuns([baseline, candidate], evaluations);
  return {
    baseline: first ?? baseline.configuration,
    candidate: second ?? candidate.configuration,
  };
}

async function findScope(db: Database, { id, total, status }: StoredEvaluation): Promise<RunScope> {
  const configurations = await listConfigurations(db, id);
  return { asked: total / Math.max(1, configurations.length), status };
}

async function listRuns(db: Database, ids: Iterable<string>): Promise<readonly RunReference[]> {
  const runs: RunReference[] = [];
  for (const evaluation of new Set(ids)) {
    const configurations = await listConfigurations(db, evaluation);
    runs.push(...configurations.map(({ name }) => ({ evaluation, configuration: name })));
  }
  return runs;
}

/** One name for a run of any evaluation. */
export function toKey({ evaluation, configuration }: RunReference): string {
  return `${configuration} (${evaluation})`;
}

function getOne(evaluations: Evaluations, id: string): StoredEvaluation {
  const evaluation = evaluations.get(id);
  if (!evaluation) throw new NotFoundError('Evaluation', id);
  return evaluation;
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
