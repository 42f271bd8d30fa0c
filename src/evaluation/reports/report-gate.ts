import type { Strength } from '../../ir/statistics/strength.ts';
import { nameCheck } from '../gates/explain-gate.ts';
import type { DescribedGate } from '../lifecycle/gate-decision.ts';
import { escape, table } from './markdown.ts';
import type { GateCheck } from '../../model/gate.ts';

/** The section of a report that tells what the gate says and what it was decided by. */
export function reportGate(gate: DescribedGate): string[] {
  const { baseline, configurations, confidence, hash } = gate;
  return [
    `## Gate: ${gate.verdict ?? 'undecided'}`,
    '',
    `Compared with baseline ${escape(baseline.name)} (configuration ${escape(baseline.configuration)} of evaluation ${escape(baseline.evaluation)}). Bounds are one-sided, each at a confidence of ${confidence}. ${strengthTexts[gate.strength ?? 'usual']} Frozen before the first search as ${hash.slice(0, 12)}.`,
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

const strengthTexts = {
  usual: "Strength: usual; effects that no question showed are not ruled out, see 'blind to'.",
  guaranteed: "Strength: guaranteed; 'lower' is Gaffke's bound for measures with bounds.",
} as const satisfies Record<Strength, string>;

function checkTable(checks: readonly GateCheck[]): string[] {
  const header = 'check questions baseline candidate difference lower upper accepted';
  return table(
    [...header.split(' '), 'blind to', 'verdict'],
    checks.map((check) => [
      escape(nameCheck(check)),
      String(check.questions),
      toText(check.means.baseline),
      toText(check.means.candidate),
      toText(check.meanDifference),
      toText(check.guarantee?.lowerBound ?? check.lowerBound),
      toText(check.upperBound),
      String(check.maxDrop),
      toText(check.blindTo ?? null),
      check.isCounted ? check.verdict : 'not counted',
    ]),
  );
}

function toText(value: number | null): string {
  return value === null ? '–' : value.toFixed(4);
}
