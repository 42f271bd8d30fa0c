import type { CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { CommandError } from '../exit-codes.ts';
import { openSources, toUniqueNames } from '../files/source.ts';
import { toExitCode } from '../gate-end.ts';
import { tellGitHub } from '../output/github.ts';
import type { Output } from '../output/output.ts';
import type { Evaluation } from '../service/evaluate.ts';
import { evaluateFiles } from '../service/evaluate-files.ts';
import { getReport } from '../service/get-report.ts';
import { withService } from '../service/open-service.ts';
import type { Service } from '../service/service.ts';
import { tellGate } from '../text/tell-evaluation.ts';

export interface GateOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly maxDrop?: number;
  readonly minimum?: number;
  readonly on?: 'interval' | 'mean';
  readonly strength?: 'usual' | 'guaranteed';
  readonly inconclusive?: 'report' | 'pass' | 'fail';
  readonly label?: string;
}

/** Decides whether a run may replace a baseline. */
export async function gate(
  [qrels, baseline, candidate]: readonly [string, string, string],
  { options, output, signal }: CommandContext<GateOptions>,
): CommandEnd {
  const pair = toUniqueNames([baseline, candidate]);
  const rules = toGate(options, pair[0] ?? '');
  // Minimums are for the candidate. A baseline that does not reach them is no failure of it.
  const isCompared = options.maxDrop !== undefined;
  const names = isCompared ? pair : pair.slice(1);
  const runs = isCompared ? [baseline, candidate] : [candidate];
  const sources = await openSources([qrels, ...runs], options.url);
  return withService({ options, signal }, async (service) => {
    const { label = 'gate', quiet } = options;
    const asked = { names, measures: options.measure, quiet, label, gate: rules };
    const evaluation = await evaluateFiles(service, sources, asked);
    await tellGitHub(evaluation, () => getReport(service, evaluation.id, 'comment'));
    await output.result(await writeGate(service, evaluation, { options, output }));
    return toExitCode(evaluation);
  });
}

function toGate(options: GateOptions, baseline: string): object {
  const { measure: measures = ['nDCG@10'], maxDrop, minimum, on, strength } = options;
  if (maxDrop === undefined && minimum === undefined) {
    throw new CommandError('--max-drop: say how far a measure may fall, such as --max-drop 0.02');
  }
  const drops = maxDrop === undefined ? [] : measures.map((measure) => ({ measure, maxDrop }));
  const floors = minimum === undefined ? [] : measures.map((measure) => ({ measure, minimum, on }));
  return {
    ...(drops.length > 0 && { baseline: { configuration: baseline } }),
    checks: [...drops, ...floors],
    onInconclusive: options.inconclusive,
    strength,
  };
}

async function writeGate(
  service: Service,
  evaluation: Evaluation,
  { options: { format }, output }: { readonly options: GateOptions; readonly output: Output },
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(evaluation.gate, null, 2)}\n`;
  if (format === 'table') return evaluation.gate ? tellGate(evaluation.gate, output) : '';
  return getReport(service, evaluation.id, format === 'markdown' ? 'comment' : format);
}
