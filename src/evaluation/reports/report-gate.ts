import type { Strength } from '../../ir/statistics/strength.ts';
import { nameCheck } from '../gates/explain-gate.ts';
import type { DescribedGate } from '../lifecycle/gate-decision.ts';
import { escape, table } from './markdown.ts';
import type { FloorCheck, GateCheck } from '../../model/gate.ts';

/** The section of a report about the gate: its verdict and the checks behind it. */
export function reportGate(gate: DescribedGate): string[] {
  const { baseline, missingBaseline, configurations, confidence, hash } = gate;
  const compared = baseline
    ? `Compared with baseline ${escape(baseline.name)} (configuration ${escape(baseline.configuration)} of evaluation ${escape(baseline.evaluation)}). Bounds are one-sided, each at a confidence of ${confidence}. ${strengthTexts[gate.strength ?? 'usual']} `
    : missingBaseline === undefined
      ? ''
      : `Baseline ${escape(missingBaseline)} does not exist yet, which the gate accepts. `;
  return [
    `## Gate: ${gate.verdict ?? 'undecided'}`,
    '',
    `${compared}Frozen before the first search as ${hash.slice(0, 12)}.`,
    ...(configurations.length === 0 ? ['', escape(gate.detail)] : []),
    ...configurations.flatMap(
      ({ configuration, verdict, detail, checks, floors = [], fellMost = [] }) => [
        '',
        `### ${escape(configuration)}: ${verdict}`,
        '',
        escape(detail),
        ...(checks.length > 0 ? ['', ...checkTable(checks)] : []),
        ...(floors.length > 0 ? ['', ...floorTable(floors)] : []),
        ...(fellMost.length > 0 ? ['', ...fallenTable(fellMost)] : []),
      ],
    ),
  ];
}

type FallenQuestions = NonNullable<DescribedGate['configurations'][number]['fellMost']>;

const strengthTexts = {
  usual: "Strength: usual; effects that no question showed are not ruled out, see 'blind to'.",
  guaranteed: "Strength: guaranteed; 'lower' is Gaffke's bound for measures with bounds.",
} as const satisfies Record<Strength, string>;

export function checkTable(checks: readonly GateCheck[]): string[] {
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

export function floorTable(floors: readonly FloorCheck[]): string[] {
  return table(
    ['minimum', 'questions', 'mean', 'low', 'high', 'at least', 'applies to', 'verdict'],
    floors.map(({ measure, questions, mean, interval, minimum, on, verdict }) => [
      escape(measure),
      String(questions),
      toText(mean),
      toText(interval?.low ?? null),
      toText(interval?.high ?? null),
      String(minimum),
      on === 'mean' ? 'mean' : 'low',
      verdict,
    ]),
  );
}

/** The questions that fell most, with the rank of the first relevant document on both sides. */
export function fallenTable(fallen: FallenQuestions): string[] {
  const [measure = ''] = fallen.map((question) => question.measure);
  return table(
    ['question', 'text', `${escape(measure)} before`, 'after', 'first relevant before', 'after'],
    fallen.map(({ id, text, baseline, candidate, firstRelevantRank: rank }) => [
      escape(id),
      escape(text ?? '–'),
      toText(baseline),
      toText(candidate),
      rank.baseline === null ? 'none' : String(rank.baseline),
      rank.candidate === null ? 'none' : String(rank.candidate),
    ]),
  );
}

function toText(value: number | null): string {
  return value === null ? '–' : value.toFixed(4);
}
