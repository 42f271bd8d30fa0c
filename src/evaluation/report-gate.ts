import { nameCheck } from './explain-gate.ts';
import type { DescribedGate, GateCheck } from './gate-decision.ts';
import { escape, table } from './markdown.ts';

/** The section of a report that tells what the gate says and what it was decided by. */
export function reportGate(gate: DescribedGate): string[] {
  const { baseline, configurations, confidence, hash } = gate;
  return [
    `## Gate: ${gate.verdict ?? 'not decided yet'}`,
    '',
    `Held against baseline ${escape(baseline.name)} (configuration ${escape(baseline.configuration)} of evaluation ${escape(baseline.evaluation)}). Bounds are one-sided, each at a confidence of ${confidence}. Fixed before the first search as ${hash.slice(0, 12)}.`,
    ...(configurations.length === 0 ? ['', escape(gate.detail)] : []),
    ...configurations.flatMap(({ configuration, verdict, detail, checks }) => [
      '',
      `### ${escape(configuration)}: ${verdict}`,
      '',
      escape(detail),
      ...(checks.length > 0 ? ['', ...checkTable(checks)] : []),
    ]),
  ];
}

function checkTable(checks: readonly GateCheck[]): string[] {
  const header = 'check questions baseline candidate difference lower upper accepted verdict';
  return table(
    header.split(' '),
    checks.map((check) => [
      escape(nameCheck(check)),
      String(check.questions),
      toText(check.means.baseline),
      toText(check.means.candidate),
      toText(check.meanDifference),
      toText(check.lowerBound),
      toText(check.upperBound),
      String(check.maxDrop),
      check.isCounted ? check.verdict : 'not counted',
    ]),
  );
}

function toText(value: number | null): string {
  return value === null ? '–' : value.toFixed(4);
}
