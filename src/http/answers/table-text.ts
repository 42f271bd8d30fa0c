import { Readable } from 'node:stream';

import type { RunComparison } from '../../evaluation/comparison/compare-on.ts';
import type { QuestionTable } from '../../evaluation/scoring/tabulate-questions.ts';
import { escape, table } from '../../evaluation/reports/markdown.ts';
import { formatCsvRecord } from '../../ir/interchange/csv-records.ts';
import { inBlocks } from './streams.ts';

/** One row for each question, one column for each configuration and measure. */
export function streamQuestionsCsv({ columns, rows }: QuestionTable): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield toLine(['questionId', 'question', ...columns.map(toCell)]);
    for await (const { id, text, values } of rows) {
      yield toLine([id, toCell(text), ...values.map((value) => value?.toString() ?? '')]);
    }
  }
  return Readable.from(inBlocks(lines()));
}

/** One row for each comparison and question. */
export function streamComparisonsCsv(comparisons: readonly RunComparison[]): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield toLine([
      'measure',
      'baseline',
      'candidate',
      'questionId',
      'question',
      'baselineValue',
      'candidateValue',
      'difference',
      'outcome',
    ]);
    for (const { measure, baseline, candidate, perQuestion } of comparisons) {
      const head = [measure, baseline.configuration, candidate.configuration];
      for (const { id, text, outcome, ...each } of perQuestion) {
        const values = [each.baseline, each.candidate, each.difference].map(String);
        yield toLine([...head, id, toCell(text), ...values, outcome]);
      }
    }
  }
  return Readable.from(inBlocks(lines()));
}

/** A table with one row for each comparison, and the sentence of each below. */
export function comparisonsAsMarkdown(comparisons: readonly RunComparison[]): string {
  const header = [
    'comparison',
    'measure',
    'questions',
    'baseline',
    'candidate',
    'difference',
    'interval',
    'p',
    'verdict',
  ];
  const rows = comparisons.map((one) => [
    `${escape(one.candidate.configuration)} − ${escape(one.baseline.configuration)}`,
    escape(one.measure),
    String(one.questions),
    toFixed(one.means.baseline),
    toFixed(one.means.candidate),
    toFixed(one.meanDifference),
    one.interval ? `${toFixed(one.interval.low)} to ${toFixed(one.interval.high)}` : '–',
    toFixed(one.pAdjusted ?? one.tests.randomization.p),
    one.verdict,
  ]);
  const sentences = comparisons.map(({ explanation }) => `- ${escape(explanation)}`);
  return `${[...table(header, rows), '', ...sentences].join('\n')}\n`;
}

function toFixed(value: number | null): string {
  return value === null ? '–' : value.toFixed(4);
}

/** Text that a spreadsheet would take for a formula gets an apostrophe. Ids stay as they are, to be imported again. */
export function toCell(text: string | null): string {
  if (text === null) return '';
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function toLine(cells: readonly string[]): string {
  return `${formatCsvRecord(cells)}\n`;
}
