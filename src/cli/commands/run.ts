import type { CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { toExitCode } from '../gate-end.ts';
import { tellGitHub } from '../output/github.ts';
import { writeResultFile, type Output } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { loadRunFile, type LoadedRunFile } from '../run-file/load-run-file.ts';
import { inRunFile } from '../run-file/in-run-file.ts';
import { prepareRequest } from '../run-file/prepare-request.ts';
import { evaluate, type Evaluation } from '../service/evaluate.ts';
import { getReport } from '../service/get-report.ts';
import { withService } from '../service/open-service.ts';
import { continueEvaluation } from '../service/continue-evaluation.ts';
import type { Service } from '../service/service.ts';
import { tellGate, tellScorecard } from '../text/tell-evaluation.ts';

export interface RunOptions extends CommonOptions {
  readonly store?: string;
  readonly inconclusive?: 'report' | 'pass' | 'fail';
}

/** Evaluates what a file describes, decides its gate and writes its reports. */
export async function run(
  path: string | undefined,
  { options, output, signal }: CommandContext<RunOptions>,
): CommandEnd {
  const { url, store, quiet, inconclusive } = options;
  const loaded = await loadRunFile(path);
  return withService({ options, signal, store }, async (service) => {
    const progress = createProgress({ quiet });
    const evaluation = await inRunFile(loaded, async () => {
      const request = await prepareRequest(service, loaded, { url, inconclusive });
      return store === undefined
        ? evaluate(service, request, { progress })
        : continueEvaluation(service, request, progress);
    });
    await writeReports(service, evaluation, loaded);
    await tellGitHub(evaluation, () => getReport(service, evaluation.id, 'comment'));
    await output.result(await writeResult(service, evaluation, { options, output }));
    return toExitCode(evaluation);
  });
}

async function writeReports(
  service: Service,
  evaluation: Evaluation,
  { file: { reports = {} }, resolvePath }: LoadedRunFile,
): Promise<void> {
  const { json, markdown, ...others } = reports;
  if (json !== undefined) await writeResultFile(resolvePath(json), toJson(evaluation));
  if (markdown !== undefined) {
    const comment = await getReport(service, evaluation.id, 'comment');
    await writeResultFile(resolvePath(markdown), comment);
  }
  for (const format of ['junit', 'html', 'csv'] as const) {
    const path = others[format];
    if (path === undefined) continue;
    await writeResultFile(resolvePath(path), await getReport(service, evaluation.id, format));
  }
}

async function writeResult(
  service: Service,
  evaluation: Evaluation,
  { options: { format }, output }: { readonly options: RunOptions; readonly output: Output },
): Promise<string> {
  if (format === 'json') return toJson(evaluation);
  if (format !== 'table') {
    return getReport(service, evaluation.id, format === 'markdown' ? 'comment' : format);
  }
  const { gate } = evaluation;
  return [tellScorecard(evaluation), ...(gate ? [tellGate(gate, output)] : [])].join('\n');
}

function toJson(evaluation: Evaluation): string {
  return `${JSON.stringify(evaluation, null, 2)}\n`;
}
