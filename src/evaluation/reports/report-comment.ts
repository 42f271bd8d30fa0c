import type { DescribedGate } from '../lifecycle/gate-decision.ts';
import type { EvaluationDescription } from '../lifecycle/describe-evaluation.ts';
import { escape } from './markdown.ts';
import { reportEvaluation } from './report-evaluation.ts';
import type { FunnelReport } from './report-funnel.ts';
import { checkTable, fallenTable, floorTable } from './report-gate.ts';
import { reportScorecard } from './report-scorecard.ts';

/**
 * An evaluation as a comment on a pull request: the verdict in a sentence, the checks, the questions that fell most, and
 * the report folded away. Its first line names it by the label of the evaluation, so that a workflow finds its own comment.
 */
export function reportComment(description: EvaluationDescription, funnel: FunnelReport): string {
  const { evaluation, gate } = description;
  const rows = evaluation.scorecard ?? [];
  const sections = [
    [marker(evaluation.label ?? 'evaluation')],
    [tellVerdict(description)],
    ...(gate ? reportDecisions(gate) : reportScorecard(rows)),
    fold('Report', reportEvaluation(description, funnel)),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** An HTML comment ends at the first `--`, so a label must not hold it. */
function marker(label: string): string {
  return `<!-- grounding-eval:${label.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '-').replaceAll(/-{2,}/g, '-')} -->`;
}

function tellVerdict({ evaluation, gate }: EvaluationDescription): string {
  if (evaluation.error) return `**Failed:** ${escape(evaluation.error.detail)}`;
  if (gate) return `**Gate: ${gate.verdict ?? 'undecided'}.** ${escape(gate.detail)}`;
  return `**Evaluation ${escape(evaluation.status)}.** It has no gate.`;
}

function reportDecisions({ configurations }: DescribedGate): string[][] {
  return configurations.flatMap(({ configuration, checks, floors = [], fellMost = [] }) => [
    configurations.length > 1 ? [`### ${escape(configuration)}`] : [],
    checks.length > 0 ? checkTable(checks) : [],
    floors.length > 0 ? floorTable(floors) : [],
    fellMost.length > 0 ? ['Questions that fell most:', '', ...fallenTable(fellMost)] : [],
  ]);
}

/** GitHub shows Markdown inside `details` only behind an empty line. */
function fold(title: string, markdown: string): string[] {
  return ['<details>', `<summary>${title}</summary>`, '', markdown.trimEnd(), '', '</details>'];
}
