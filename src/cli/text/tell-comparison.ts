import type { z } from 'zod';

import type { ComparisonResponse } from '../../schemas/comparison.ts';
import { formatTable } from '../output/table.ts';
import { round, signed } from './numbers.ts';

type Comparison = Exclude<z.infer<typeof ComparisonResponse>, { readonly comparisons: unknown }>;

const mostListed = 10;

/** The sentences, a row for each measure, and the questions that moved most in the first one. */
export function tellComparisons(comparisons: readonly Comparison[]): string {
  const [first] = comparisons;
  const sentences = comparisons.map(({ explanation }) => `${explanation}\n`);
  const notes = comparisons.flatMap((each) => each.warnings.map(({ message }) => `${message}\n`));
  const moved = first ? listMoved(first) : [];
  return [
    ...sentences,
    ...new Set(notes),
    '\n',
    tabulate(comparisons),
    ...(moved.length > 0 && first ? ['\n', tabulateMoved(first, moved)] : []),
  ].join('');
}

function tabulate(comparisons: readonly Comparison[]): string {
  const header = [
    'measure',
    'questions',
    'baseline',
    'candidate',
    'difference',
    'low',
    'high',
    'p',
    'wins',
    'losses',
    'verdict',
  ];
  return formatTable(
    header,
    comparisons.map((each) => [
      each.measure,
      String(each.questions),
      round(each.means.baseline),
      round(each.means.candidate),
      signed(each.meanDifference),
      signed(each.interval?.low ?? null),
      signed(each.interval?.high ?? null),
      round(each.pAdjusted ?? each.tests.randomization.p),
      String(each.wins),
      String(each.losses),
      each.verdict,
    ]),
  );
}

type Question = Comparison['perQuestion'][number];

function listMoved({ perQuestion }: Comparison): readonly Question[] {
  return perQuestion
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, mostListed);
}

function tabulateMoved({ measure }: Comparison, moved: readonly Question[]): string {
  return formatTable(
    ['moved most', `${measure} baseline`, 'candidate', 'difference', 'text'],
    moved.map(({ id, text, baseline, candidate, difference }) => [
      id,
      round(baseline),
      round(candidate),
      signed(difference),
      text === id ? '' : text,
    ]),
    { left: [0, 4] },
  );
}
