import type { GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findGateDecision } from '../../storage/evaluations/gates.ts';
import type { ConfigurationDecision, FallenQuestion, GateSnapshot } from '../../model/gate.ts';
import { findStoredQuestions } from '../../storage/question-sets/questions.ts';

/** A gate's rules and decision; no verdict while the evaluation runs. */
export type DescribedGate = Omit<GateSnapshot, 'baseline'> & {
  readonly baseline: DescribedBaseline | null;
  readonly configurations: readonly DescribedDecision[];
  readonly detail: string;
} & VerdictOrNone;

interface DescribedBaseline {
  readonly name: string;
  readonly evaluation: string;
  readonly configuration: string;
}

type DescribedDecision = Omit<ConfigurationDecision, 'fellMost'> & {
  readonly fellMost?: readonly (FallenQuestion & { readonly text: string | null })[];
};

interface VerdictOrNone {
  readonly verdict: GateVerdict | null;
}

/** The gate of an evaluation; `null` without one. Only an evaluation that succeeded can have passed. */
export async function describeGate(
  db: Database,
  evaluation: StoredEvaluation,
): Promise<DescribedGate | null> {
  const { gate: stored } = evaluation.plan;
  if (!stored) return null;
  const { id, status, error } = evaluation;
  const { baseline } = stored;
  const gate = {
    ...stored,
    baseline: baseline && { ...baseline, evaluation: baseline.evaluation ?? id },
  };
  if (evaluation.finishedAt === null) {
    const detail = 'The evaluation has not ended yet';
    return { ...gate, verdict: null, detail, configurations: [] };
  }
  const decision = await findGateDecision(db, id);
  if (status === 'succeeded' && decision) {
    const { configurations, ...rest } = decision;
    return { ...gate, ...rest, configurations: await addTexts(db, evaluation, configurations) };
  }
  const verdict = error?.code === 'every-search-failed' ? 'fail' : 'inconclusive';
  const detail =
    error?.detail ?? `The evaluation is ${status} and was not checked against its gate`;
  return { ...gate, verdict, detail, configurations: [] };
}

/** Decisions name questions by their ids: texts are in the question set alone, and go with it. */
async function addTexts(
  db: Database,
  { questionSet, version }: StoredEvaluation,
  configurations: readonly ConfigurationDecision[],
): Promise<readonly DescribedDecision[]> {
  const ids = configurations.flatMap(({ fellMost = [] }) => fellMost.map(({ id }) => id));
  const questions = await findStoredQuestions(db, { questionSet, version }, [...new Set(ids)]);
  return configurations.map(({ fellMost, ...decision }) => ({
    ...decision,
    ...(fellMost && {
      fellMost: fellMost.map((fallen) => ({
        ...fallen,
        text: questions.get(fallen.id)?.question.text ?? null,
      })),
    }),
  }));
}
