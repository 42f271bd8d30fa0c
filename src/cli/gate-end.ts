import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { Evaluation } from './service/evaluate.ts';

/** How an evaluation ends a pipeline: by its gate where it has one, else by whether searches failed. */
export function toExitCode({ gate, scorecard }: Evaluation): ExitCode {
  if (gate) {
    if (gate.verdict === 'pass') return exitCodes.done;
    return gate.verdict === 'fail' ? exitCodes.gateFailed : exitCodes.gateInconclusive;
  }
  const hasFailures = (scorecard ?? []).some(({ questions }) => questions.failed > 0);
  return hasFailures ? exitCodes.notReached : exitCodes.done;
}
