import type { Measure } from '../../ir/measures/measure.ts';
import { worstVerdict, type GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import { mean } from '../../ir/statistics/mean.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { upsertGateDecision } from '../../storage/evaluations/gates.ts';
import { checkDrops } from './check-drops.ts';
import { checkFloors } from './check-floors.ts';
import { findFallen } from './find-fallen.ts';
import { explainDecision } from './explain-gate.ts';
import { findObstacles, findUnmatched, incomparable } from './gate-obstacles.ts';
import { settleVerdict } from './settle-verdict.ts';
import { pairQuestions } from '../comparison/pair-questions.ts';
import { isVariant } from '../planning/plan-ablation.ts';
import { readBaseline, type BaselineRun } from './read-baseline.ts';
import {
  createRunCollector,
  returnsNothingJudged,
  type RunQuestion,
  type RunQuestions,
  type RunReadOptions,
} from '../comparison/read-run.ts';
import type { StartListener } from '../scoring/score-evaluation.ts';
import { parseOneMeasure } from '../measures/resolve-measures.ts';
import type {
  GateSnapshot,
  GateDecision,
  ConfigurationDecision,
  GateObstacle,
  Shares,
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
  const options = { ...howToRead(gate), evaluation };
  const baseline = gate.baseline && ((await readBaseline(db, gate.baseline, options)) ?? 'gone');
  const decided: ConfigurationDecision[] = [];
  return {
    async listen(configuration) {
      const { name } = configuration;
      if (isVariant(plan, name) || isOwnBaseline(gate, name)) return undefined;
      const candidate = { evaluation, configuration };
      const obstacles = baseline === null ? [] : incomparable(gate, baseline, candidate);
      const comparable = obstacles.length === 0 && baseline !== 'gone' ? baseline : null;
      const run = await createRunCollector(db, evaluation, howToRead(gate));
      return {
        add: run.add,
        async end() {
          const runs = { baseline: comparable, asked: run.questions };
          decided.push(await decideOn(gate, { configuration: name, obstacles, ...runs }));
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

/** The configuration that is the baseline is not compared with itself. */
function isOwnBaseline({ baseline }: GateSnapshot, configuration: string): boolean {
  return baseline?.evaluation === null && baseline.configuration === configuration;
}

function howToRead(gate: GateSnapshot): RunReadOptions {
  return { measures: measuresOf(gate), sliceBy: gate.slices, withRankings: true };
}

/** Those compared with the baseline, then those with a minimum, and the judged@k that a minimum is set for. */
function measuresOf({ measures, floors = [], minJudged }: GateSnapshot): readonly Measure[] {
  const names = [...measures, ...floors.map(({ measure }) => measure)];
  const all = minJudged ? [...names, minJudged.measure] : names;
  return all.map((name) => parseOneMeasure(name, '/gate/measures'));
}

interface ComparedRuns {
  readonly configuration: string;
  /** Why the two runs cannot be compared. */
  readonly obstacles: readonly GateObstacle[];
  /** null: there is none, or none that can be compared. */
  readonly baseline: BaselineRun | null;
  readonly asked: RunQuestions;
}

async function decideOn(
  gate: GateSnapshot,
  { configuration, obstacles, baseline, asked }: ComparedRuns,
): Promise<ConfigurationDecision> {
  const unmatched = findUnmatched({
    baseline: baseline !== null && returnsNothingJudged(baseline.questions.values()),
    candidate: returnsNothingJudged(asked.values()),
  });
  const isMatched = unmatched.length === 0;
  const floors = isMatched ? checkFloors(gate, asked, gate.measures.length) : [];
  const nothing = { failedShare: null, fallbackShare: null, judged: null, checks: [] };
  if (obstacles.length > 0) {
    const all = [...obstacles, ...unmatched];
    return conclude(gate, { configuration, obstacles: all, ...nothing, floors });
  }
  const pairs = baseline ? pairQuestions(baseline.questions, asked).pairs : [];
  const found = {
    failedShare: toShares(baseline, asked, isFailed),
    fallbackShare: toShares(baseline, asked, hasFallback),
    judged: gate.minJudged && {
      measure: gate.minJudged.measure,
      baseline: lastMean(pairs.map((pair) => pair.baseline.values)),
      candidate: lastMean(
        baseline
          ? pairs.map((pair) => pair.candidate.values)
          : [...asked.values()].map(({ values }) => values),
      ),
    },
    unknown: baseline ? [...asked.keys()].filter((id) => !baseline.questions.has(id)) : [],
  };
  return conclude(gate, {
    configuration,
    obstacles: [...unmatched, ...findObstacles(gate, found)],
    failedShare: found.failedShare,
    fallbackShare: found.fallbackShare,
    judged: found.judged,
    checks: baseline && isMatched ? await checkDrops(gate, pairs) : [],
    floors,
    ...(baseline?.rescoredTo !== undefined && { rescoredBaseline: baseline.rescoredTo }),
    fellMost: isMatched ? findFallen(gate.measures[0], pairs) : [],
  });
}

function toShares(
  baseline: BaselineRun | null,
  asked: RunQuestions,
  holds: (question: RunQuestion) => boolean,
): Shares {
  return {
    baseline: baseline && shareOf(baseline.questions, asked, holds),
    candidate: shareOf(asked, asked, holds),
  };
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
  const { obstacles, checks, floors = [] } = found;
  const decisive: readonly { readonly verdict: GateVerdict }[] = [
    ...obstacles,
    ...checks.filter(({ isCounted }) => isCounted),
    ...floors,
  ];
  const isAccepted = gate.missingBaseline !== undefined && decisive.length === 0;
  const shown = isAccepted ? 'pass' : worstVerdict(decisive.map((reason) => reason.verdict));
  const verdict = settleVerdict(shown, gate.onInconclusive);
  return { ...found, verdict, detail: explainDecision(gate, { ...found, verdict: shown }) };
}
