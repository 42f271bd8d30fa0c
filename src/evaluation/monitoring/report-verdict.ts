import { BrokenRowError } from '../../errors.ts';
import { insertAlertEvent } from '../../storage/monitoring/alert-events.ts';
import { findBaseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { findGateDecision } from '../../storage/evaluations/gates.ts';
import { listTrends } from './list-trends.ts';
import { raiseAlert } from './raise-alert.ts';
import type { GateSnapshot } from '../../model/gate.ts';

/** The share of failed searches up to which a night counts for the drift alert. */
const allowedFailedShare = 0;

/**
 * Raises alerts for the verdict of a gated evaluation: a gate that failed, and a drift from its baseline. Each evaluation
 * is looked at once, whichever process ended it. Throws BrokenRowError, once, where what it needs cannot be read.
 */
export async function reportVerdict(
  db: Database,
  { id }: { readonly id: string },
  now: string,
): Promise<void> {
  try {
    await raiseAlerts(db, id, now);
  } catch (error) {
    if (error instanceof BrokenRowError) await markRead(db, id, now);
    throw error;
  }
  await markRead(db, id, now);
}

async function markRead(db: Database, id: string, now: string): Promise<void> {
  await insertAlertEvent(db, { id: `verdict-read/${id}`, body: '{}', occurredAt: now });
}

async function raiseAlerts(db: Database, id: string, now: string): Promise<void> {
  const { gate, decision } = await readVerdict(db, id, now);
  if (!gate || !decision) return;
  if (decision.verdict === 'fail') await raiseGateFailed(db, { id, gate, now });
  await reportDrift(db, { id, gate, now });
}

/** A verdict that cannot be read counts as a gate that failed. */
async function readVerdict(db: Database, id: string, now: string) {
  try {
    const decision = await findGateDecision(db, id);
    return { gate: (await findEvaluation(db, id))?.plan.gate, decision };
  } catch (error) {
    if (error instanceof BrokenRowError) {
      const detail = `The gate decision of evaluation ${id} cannot be read; see the log of the service`;
      await raiseAlert(db, { ...toGateAlert(id, now), subject: 'Gate cannot be read', detail });
    }
    throw error;
  }
}

interface GatedEvaluation {
  readonly id: string;
  readonly gate: GateSnapshot;
  readonly now: string;
}

function raiseGateFailed(db: Database, { id, gate, now }: GatedEvaluation): Promise<void> {
  return raiseAlert(db, {
    ...toGateAlert(id, now),
    subject: 'Evaluation did not pass its gate',
    detail: gate.baseline
      ? `Evaluation ${id} is worse than baseline ${gate.baseline.name} by more than its gate allows`
      : `Evaluation ${id} does not reach a minimum of its gate`,
  });
}

function toGateAlert(id: string, now: string) {
  return {
    type: 'gate-failed',
    about: id,
    severity: 'error',
    evaluation: id,
    occurredAt: now,
  } as const;
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
