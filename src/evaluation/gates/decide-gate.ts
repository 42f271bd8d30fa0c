import type { Measure } from '../../ir/measures/measure.ts';
import { worstVerdict } from '../../ir/statistics/gate-verdict.ts';
import { mean } from '../../ir/statistics/mean.ts';
import type { Database } from '../../storage/database/database.ts';
import { findEvaluation, type StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { upsertGateDecision } from '../../storage/evaluations/gates.ts';
import { checkDrops } from './check-drops.ts';
import { compareSubjects, type MeasuredSubject } from './compare-subjects.ts';
import { getConfiguration } from '../lifecycle/describe-evaluation.ts';
import { explainDecision } from './explain-gate.ts';
import { findObstacles, incomparable } from './gate-obstacles.ts';
import { pairQuestions } from '../comparison/pair-questions.ts';
import { isVariant } from '../planning/plan-ablation.ts';
import {
  createRunCollector,
  readRun,
  type RunQuestion,
  type RunQuestions,
  type RunReadOptions,
} from '../comparison/read-run.ts';
import type { StartListener } from '../scoring/score-evaluation.ts';
import { parseMeasures } from '../measures/resolve-measures.ts';
import type {
  GateSnapshot,
  GateDecision,
  ConfigurationDecision,
  GateObstacle,
} from '../../model/gate.ts';

/** The gate of an evaluation while its configurations are read. */
export interface OpenGate {
  /** Takes the questions of a configuration and decides on it at their end. */
  readonly listen: StartListener;
  /** Stores the decision, once every configuration was read. One that was stored before is replaced. */
  readonly store: () => Promise<void>;
}

/** Reads the baseline's run, to compare the configurations of an evaluation with it. Undefined: there is no gate. */
export async function openGate(
  db: Database,
  evaluation: StoredEvaluation,
): Promise<OpenGate | undefined> {
  const { plan } = evaluation;
  const { gate } = plan;
  if (!gate) return undefined;
  const baseline = await findBaselineRun(db, gate);
  const decided: ConfigurationDecision[] = [];
  return {
    async listen(configuration) {
      if (isVariant(plan, configuration.name)) return undefined;
      const { name } = configuration;
      const candidate = { evaluation, configuration };
      const obstacles = incomparable(baseline && compareSubjects(baseline, candidate));
      if (!baseline || obstacles.length > 0) {
        const nothing = { failedShare: null, fallbackShare: null, judged: null, checks: [] };
        decided.push(conclude(gate, { configuration: name, obstacles, ...nothing }));
        return undefined;
      }
      const run = await createRunCollector(db, evaluation, howToRead(gate));
      return {
        add: run.add,
        async end() {
          const runs = { baseline: baseline.questions, asked: run.questions };
          decided.push(await decideOn(gate, name, runs));
        },
      };
    },
    async store() {
      const decision: GateDecision = {
        verdict: worstVerdict(decided.map(({ verdict }) => verdict)),
        detail: decided.map(({ detail }) => detail).join(' '),
        configurations: decided,
      };
      await upsertGateDecision(db, evaluation.id, decision);
    },
  };
}

interface BaselineRun extends MeasuredSubject {
  readonly questions: RunQuestions;
}

async function findBaselineRun(db: Database, gate: GateSnapshot): Promise<BaselineRun | undefined> {
  const evaluation = await findEvaluation(db, gate.baseline.evaluation);
  if (!evaluation) return undefined;
  const configuration = await getConfiguration(db, evaluation.id, gate.baseline.configuration);
  const options = { ...howToRead(gate), evaluation };
  return { evaluation, configuration, questions: await readRun(db, gate.baseline, options) };
}

function howToRead(gate: GateSnapshot): RunReadOptions {
  return { measures: measuresOf(gate), sliceBy: gate.slices, withRankingHash: true };
}

/** Those tested, and behind them the judged@k that a minimum is set for. */
function measuresOf({ measures, minJudged }: GateSnapshot): readonly Measure[] {
  return parseMeasures([...measures, ...(minJudged ? [minJudged.measure] : [])], '/gate/measures');
}

interface ComparedRuns {
  readonly baseline: RunQuestions;
  readonly asked: RunQuestions;
}

async function decideOn(
  gate: GateSnapshot,
  configuration: string,
  { baseline, asked }: ComparedRuns,
): Promise<ConfigurationDecision> {
  const { pairs } = pairQuestions(baseline, asked);
  const found = {
    failedShare: {
      baseline: shareOf(baseline, asked, isFailed),
      candidate: shareOf(asked, asked, isFailed),
    },
    fallbackShare: {
      baseline: shareOf(baseline, asked, hasFallback),
      candidate: shareOf(asked, asked, hasFallback),
    },
    judged: gate.minJudged && {
      measure: gate.minJudged.measure,
      baseline: lastMean(pairs.map((pair) => pair.baseline.values)),
      candidate: lastMean(pairs.map((pair) => pair.candidate.values)),
    },
    unknown: [...asked.keys()].filter((id) => !baseline.has(id)),
  };
  return conclude(gate, {
    configuration,
    obstacles: findObstacles(gate, found),
    failedShare: found.failedShare,
    fallbackShare: found.fallbackShare,
    judged: found.judged,
    checks: await checkDrops(gate, pairs),
  });
}

/** Of the questions asked in the evaluation, the share that something is true of in a run. */
function shareOf(
  run: RunQuestions,
  asked: RunQuestions,
  holds: (question: RunQuestion) => boolean,
): number {
  const found = [...asked.keys()].flatMap((id) => run.get(id) ?? []).filter(holds);
  return asked.size === 0 ? 0 : found.length / asked.size;
}

const isFailed = ({ status }: RunQuestion) => status === 'failed';
const hasFallback = (question: RunQuestion) => question.hasFallback;

function lastMean(values: readonly (readonly number[])[]): number | null {
  return mean(values.flatMap((ofQuestion) => ofQuestion.at(-1) ?? []));
}

function conclude(
  gate: GateSnapshot,
  found: Omit<ConfigurationDecision, 'verdict' | 'detail'>,
): ConfigurationDecision {
  const { obstacles, checks } = found;
  const decisive: readonly (Pick<GateObstacle, 'verdict'> | ConfigurationDecision['checks'][0])[] =
    [...obstacles, ...checks.filter(({ isCounted }) => isCounted)];
  const verdict = worstVerdict(decisive.map((reason) => reason.verdict));
  return { ...found, verdict, detail: explainDecision(gate, { ...found, verdict }) };
}
