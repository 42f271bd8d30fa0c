import { ruleInWords } from '../../model/average-rule.ts';
import { formatTable } from '../output/table.ts';
import type { Output } from '../output/output.ts';
import type { Evaluation } from '../service/evaluate.ts';
import { round, signed } from './numbers.ts';

type Gate = NonNullable<Evaluation['gate']>;
type Decision = Gate['configurations'][number];

/** A scorecard as a table, with its warnings. */
export function tellScorecard({ scorecard, questionSet, average }: Evaluation): string {
  const rows = scorecard ?? [];
  const measures = Object.keys(rows[0]?.measures ?? {});
  const counts = ['scored', 'empty', 'failed', 'unanswerable', 'unlabelled'] as const;
  const shown = counts.filter(
    (count) => count === 'scored' || rows.some(({ questions }) => (questions[count] ?? 0) > 0),
  );
  const table = formatTable(
    ['configuration', ...shown, ...measures],
    rows.map((row) => [
      row.configuration,
      ...shown.map((count) => String(row.questions[count] ?? 0)),
      ...measures.map((measure) => round(row.measures[measure])),
    ]),
  );
  const slices = rows.flatMap(({ configuration, slices: bySlice }) =>
    Object.entries(bySlice).flatMap(([dimension, values]) =>
      Object.entries(values).map(([value, slice]) => [
        configuration,
        `${dimension} ${value}`,
        String(slice.questions),
        ...measures.map((measure) => round(slice.measures[measure])),
      ]),
    ),
  );
  const warnings = rows.flatMap(({ configuration, warnings: found }) =>
    found.map(({ code, message }) => `${configuration}: ${message} (${code})\n`),
  );
  const failures = rows.flatMap(({ configuration, failures: found }) =>
    found.map(({ questions, detail }) => `${configuration}: ${questions} failed: ${detail}\n`),
  );
  return [
    `Question set ${questionSet.name}, version ${questionSet.version}\n`,
    `Means over ${ruleInWords[average]} (${average})\n\n`,
    table,
    ...(slices.length > 0
      ? [
          '\n',
          formatTable(['configuration', 'slice', 'questions', ...measures], slices, {
            left: [0, 1],
          }),
        ]
      : []),
    ...(warnings.length + failures.length > 0 ? ['\n', ...failures, ...warnings] : []),
  ].join('');
}

const styles = { pass: 'green', inconclusive: 'yellow', fail: 'red' } as const;

/** The verdict of a gate in a sentence, its checks, and the questions that fell most. */
export function tellGate(gate: Gate, { styled }: Pick<Output, 'styled'>): string {
  const verdict = gate.verdict ?? 'inconclusive';
  const parts = gate.configurations.flatMap((decision) => [
    decision.checks.length > 0 ? tabulateChecks(decision) : '',
    (decision.floors ?? []).length > 0 ? tabulateFloors(decision) : '',
    (decision.fellMost ?? []).length > 0 ? tabulateFallen(decision) : '',
  ]);
  const heading = `${styled(styles[verdict], `Gate: ${verdict}`)}. ${gate.detail}\n`;
  return [heading, ...parts.filter((part) => part !== '')].join('\n');
}

function tabulateChecks({ configuration, checks }: Decision): string {
  const header = [
    'configuration',
    'check',
    'questions',
    'baseline',
    'candidate',
    'difference',
    'lower',
    'upper',
    'accepted',
    'verdict',
  ];
  return formatTable(
    header,
    checks.map((check) => [
      configuration,
      check.slice
        ? `${check.measure} of ${check.slice.dimension} ${check.slice.value}`
        : check.measure,
      String(check.questions),
      round(check.means.baseline),
      round(check.means.candidate),
      signed(check.meanDifference),
      signed(check.guarantee?.lowerBound ?? check.lowerBound),
      signed(check.upperBound),
      String(check.maxDrop),
      check.isCounted ? check.verdict : 'not counted',
    ]),
    { left: [0, 1] },
  );
}

function tabulateFloors({ configuration, floors = [] }: Decision): string {
  return formatTable(
    [
      'configuration',
      'minimum',
      'questions',
      'mean',
      'low',
      'high',
      'at least',
      'applies to',
      'verdict',
    ],
    floors.map((floor) => [
      configuration,
      floor.measure,
      String(floor.questions),
      round(floor.mean),
      round(floor.interval?.low),
      round(floor.interval?.high),
      String(floor.minimum),
      floor.on === 'mean' ? 'mean' : 'low',
      floor.verdict,
    ]),
    { left: [0, 1] },
  );
}

function tabulateFallen({ fellMost = [] }: Decision): string {
  return formatTable(
    [
      'fell most',
      `${fellMost[0]?.measure ?? ''} before`,
      'after',
      'first relevant before',
      'after',
      'text',
    ],
    fellMost.map(({ id, text, baseline, candidate, firstRelevantRank }) => [
      id,
      round(baseline),
      round(candidate),
      tellRank(firstRelevantRank.baseline),
      tellRank(firstRelevantRank.candidate),
      text === null || text === id ? '' : text,
    ]),
    { left: [0, 5] },
  );
}

function tellRank(rank: number | null): string {
  return rank === null ? 'none' : String(rank);
}
