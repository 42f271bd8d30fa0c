import { insertAlertEvent } from '../../storage/monitoring/alert-events.ts';
import { findBaseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { findGateDecision, listUnreadDecisions } from '../../storage/evaluations/gates.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { listTrends } from './list-trends.ts';
import { raiseAlert } from './raise-alert.ts';
import type { GateSnapshot } from '../../model/gate.ts';

/** The share of failed searches up to which a night counts for the drift alert. */
const allowedFailedShare = 0;

/**
 * Raises alerts for the verdicts of gated evaluations, of all tenants, that ended since `since`: a gate that failed, and a
 * drift from its baseline. Each evaluation is looked at once, whichever process ended it.
 */
export async function reportVerdicts(
  store: Database,
  { since, now }: { readonly since: string; readonly now: string },
): Promise<void> {
  for (const { tenant, id } of await listUnreadDecisions(store, since)) {
    const db = scopeToTenant(store, tenant);
    const evaluation = await findEvaluation(db, id);
    const decision = await findGateDecision(db, id);
    const gate = evaluation?.plan.gate;
    if (!gate || !decision) continue;
    if (decision.verdict === 'fail') await raiseGateFailed(db, { id, gate, now });
    await reportDrift(db, { id, gate, now });
    await insertAlertEvent(db, { id: `verdict-read/${id}`, body: '{}', occurredAt: now });
  }
}

interface GatedEvaluation {
  readonly id: string;
  readonly gate: GateSnapshot;
  readonly now: string;
}

function raiseGateFailed(db: Database, { id, gate, now }: GatedEvaluation): Promise<void> {
  return raiseAlert(db, {
    type: 'gate-failed',
    about: id,
    severity: 'error',
    subject: 'Evaluation did not pass its gate',
    detail: gate.baseline
      ? `Evaluation ${id} is worse than baseline ${gate.baseline.name} by more than its gate allows`
      : `Evaluation ${id} does not reach a minimum of its gate`,
    evaluation: id,
    occurredAt: now,
  });
}

/** A series alarms once, until its baseline is another. */
async function reportDrift(db: Database, { id, gate, now }: GatedEvaluation): Promise<void> {
  if (!gate.baseline || gate.measures.length === 0) return;
  const baseline = await findBaseline(db, gate.baseline.name);
  if (!baseline || gate.baseline.evaluation === null) return;
  const { maxDrop, confidence } = gate;
  const request = { baseline: baseline.name, measures: gate.measures, limit: 1 };
  const options = { maxDrop, confidence, allowedFailedShare };
  const { series } = await listTrends(db, { ...request, ...options });
  for (const { configuration, measure, drift } of series) {
    if (drift.verdict !== 'worse') continue;
    await raiseAlert(db, {
      type: 'drift-detected',
      about: `${baseline.name}/${baseline.createdAt}/${configuration}/${measure}`,
      severity: 'error',
      subject: 'Search quality dropped',
      detail: `${measure} of configuration ${configuration} has dropped below baseline ${baseline.name} over ${drift.validNights} scheduled runs`,
      evaluation: id,
      occurredAt: now,
    });
  }
}
