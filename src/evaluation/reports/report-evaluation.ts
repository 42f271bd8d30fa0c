import { averageOf, ruleInWords } from '../../model/average-rule.ts';
import type { EvaluationDescription } from '../lifecycle/describe-evaluation.ts';
import { escape, table } from './markdown.ts';
import { reportFunnel, type FunnelReport } from './report-funnel.ts';
import { reportGate } from './report-gate.ts';
import { reportScorecard } from './report-scorecard.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { severities } from '../../model/warnings.ts';

/** Writes an evaluation for people, as Markdown. Values are rounded here and nowhere else. */
export function reportEvaluation(description: EvaluationDescription, funnel: FunnelReport): string {
  const { evaluation } = description;
  const rows = evaluation.scorecard ?? [];
  const sections = [
    [`# Evaluation ${escape(evaluation.label ?? evaluation.id)}`],
    describe(description),
    evaluation.error ? [`**Failed:** ${escape(evaluation.error.detail)}`] : [],
    description.gate ? reportGate(description.gate) : [],
    hasError(rows) ? listWarnings(rows) : [],
    ...reportScorecard(rows),
    rows.length > 0 ? ['## Questions, cost and time', '', ...costTable(rows)] : [],
    ...reportFunnel(rows, funnel),
    hasError(rows) ? [] : listWarnings(rows),
    listFailures(rows),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function describe({ evaluation, progress }: EvaluationDescription): string[] {
  const { questionSet, version, contentHash, plan } = evaluation;
  const hash = contentHash.slice(0, 12);
  return [
    `- Question set: ${escape(questionSet)}, version ${version} (content ${hash})`,
    `- Questions: ${plan.split ? `split ${plan.split}` : 'all'}${plan.sample ? `, a sample of ${plan.sample.size} (seed ${plan.sample.seed})` : ''}`,
    `- Means: over ${ruleInWords[averageOf(plan)]} (\`${averageOf(plan)}\`)`,
    `- Status: ${evaluation.status}, ${progress.done} of ${progress.total} searches done, ${progress.failed} failed`,
    `- Created ${evaluation.createdAt}${evaluation.finishedAt ? `, finished ${evaluation.finishedAt}` : ''}`,
    ...(evaluation.rescoreOf
      ? [`- Rescored from the rankings of evaluation ${evaluation.rescoreOf}`]
      : []),
  ];
}

function costTable(rows: readonly ScorecardRow[]): string[] {
  const columns =
    'configuration scored empty failed unanswerable unlabelled leaks searches attempts p50-ms p95-ms';
  return table(
    columns.split(' ').map((column) => column.replace('-', ' ')),
    rows.map(({ configuration, questions, leaks, usage, latencyMs }) => [
      escape(configuration),
      ...[questions.scored, questions.empty, questions.failed, questions.unanswerable].map(String),
      String(questions.unlabelled ?? '–'),
      String(leaks.documents),
      String(usage.searches),
      String(usage.searchAttempts),
      latencyMs ? latencyMs.p50.toFixed(1) : '–',
      latencyMs ? latencyMs.p95.toFixed(1) : '–',
    ]),
  );
}

/** The strongest of all rows first. */
function listWarnings(rows: readonly ScorecardRow[]): string[] {
  const lines = severities.flatMap((severity) =>
    rows.flatMap(({ configuration, warnings }) =>
      warnings
        .filter((warning) => warning.severity === severity)
        .map(
          ({ code, message, questions }) =>
            `- **${severity}** of ${escape(configuration)}, \`${code}\`, ${questions} questions: ${escape(message)}`,
        ),
    ),
  );
  return lines.length > 0 ? ['## Warnings', '', ...lines] : [];
}

/** A number that means nothing is read after the reason why. */
function hasError(rows: readonly ScorecardRow[]): boolean {
  return rows.some(({ warnings }) => warnings.some(({ severity }) => severity === 'error'));
}

function listFailures(rows: readonly ScorecardRow[]): string[] {
  const lines = rows.flatMap(({ configuration, failures }) =>
    failures.map(
      ({ code, detail, questions }) =>
        `- **${escape(configuration)}**, \`${code}\`, ${questions} questions: ${escape(detail)}`,
    ),
  );
  return lines.length > 0 ? ['## Failed searches', '', ...lines] : [];
}
