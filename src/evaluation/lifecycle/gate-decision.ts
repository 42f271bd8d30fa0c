import type { GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { findGateDecision } from '../../storage/evaluations/gates.ts';
import type { GateSnapshot, GateDecision } from '../../model/gate.ts';
/** A gate's rules with what it says; no verdict while the evaluation goes on. */
export type DescribedGate = GateSnapshot & Omit<GateDecision, 'verdict'> & VerdictOrNone;

interface VerdictOrNone {
  readonly verdict: GateVerdict | null;
}

/** The gate of an evaluation; `null` without one. Only an evaluation that succeeded can have passed. */
export async function describeGate(
  db: Database,
  evaluation: StoredEvaluation,
): Promise<DescribedGate | null> {
  const { gate } = evaluation.plan;
  if (!gate) return null;
  const { id, status, error } = evaluation;
  if (evaluation.finishedAt === null) {
    const detail = 'The evaluation has not ended yet';
    return { ...gate, verdict: null, detail, configurations: [] };
  }
  const decision = await findGateDecision<GateDecision>(db, id);
  if (status === 'succeeded' && decision) return { ...gate, ...decision };
  const verdict = error?.code === 'every-search-failed' ? 'fail' : 'inconclusive';
  const detail =
    error?.detail ?? `The evaluation is ${status} and was not checked against its gate`;
  return { ...gate, verdict, detail, configurations: [] };
}
