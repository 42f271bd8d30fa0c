import { appendFile } from 'node:fs/promises';
import process from 'node:process';

import type { Evaluation } from '../service/evaluate.ts';

const mostQuestions = 5;

/** On GitHub Actions: appends the report to the summary of the job, and annotates failed checks and fallen questions. */
export async function tellGitHub(
  { gate }: Evaluation,
  readComment: () => Promise<string>,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: isOnGitHub } = process.env;
  if (summary) await appendFile(summary, await readComment());
  if (!isOnGitHub || !gate) return;
  for (const { configuration, checks, floors = [], fellMost = [] } of gate.configurations) {
    for (const { measure, meanDifference, maxDrop, verdict, isCounted } of checks) {
      if (verdict !== 'fail' || !isCounted) continue;
      const change = meanDifference === null ? '' : ` changed by ${meanDifference.toFixed(4)}`;
      annotate('error', `${configuration}: ${measure}${change}; the accepted drop is ${maxDrop}`);
    }
    for (const { measure, mean, minimum, verdict } of floors) {
      if (verdict !== 'fail') continue;
      const value = mean === null ? '' : ` is ${mean.toFixed(4)}`;
      annotate('error', `${configuration}: ${measure}${value}; at least ${minimum} is required`);
    }
    for (const { id, measure, baseline, candidate } of fellMost.slice(0, mostQuestions)) {
      const values = `${baseline.toFixed(4)} to ${candidate.toFixed(4)}`;
      annotate('warning', `${configuration}: ${measure} of question ${id} fell from ${values}`);
    }
  }
}

/** A workflow command. Line ends and percent signs would end it or be read as escapes. */
function annotate(level: 'error' | 'warning', message: string): void {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stderr.write(`::${level} title=grounding-eval::${escaped}\n`);
}
