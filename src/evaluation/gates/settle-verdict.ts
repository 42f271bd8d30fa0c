import type { GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import type { GateSnapshot } from '../../model/gate.ts';

/** What the gate makes of a verdict that the evidence does not decide. */
export function settleVerdict(
  shown: GateVerdict,
  rule: GateSnapshot['onInconclusive'],
): GateVerdict {
  return shown === 'inconclusive' && rule !== undefined && rule !== 'report' ? rule : shown;
}
