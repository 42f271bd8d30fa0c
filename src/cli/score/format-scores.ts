import { stringify } from 'csv-stringify/sync';

import { escape, table } from '../../evaluation/reports/markdown.ts';
import type { Format } from '../common-options.ts';
import { formatTable } from '../output/table.ts';
import type { ScoredRun } from './scored-run.ts';

/** Prints values in full precision, since a reader who rounds can still compare. */
export function formatScores(runs: readonly ScoredRun[], format: Format): string {
  if (format === 'json') return `${JSON.stringify({ runs }, null, 2)}\n`;
  const { header, rows } = tabulate(runs);
  if (format === 'csv') {
    return stringify([header, ...rows], { escape_formulas: true });
  }
  if (format === 'markdown') {
    const lines = table(
      header.map(escape),
      rows.map((row) => row.map(escape)),
    );
    return lines.map((line) => `${line}\n`).join('');
  }
  const isBare = runs.length === 1 && rows.every((row) => row.length === 2);
  return isBare ? formatBare(rows) : formatTable(header, rows);
}

interface Tabulated {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A row a measure and, where asked for, question; a column a run. The means are the rows of question `all`, as in trec_eval. */
function tabulate(runs: readonly ScoredRun[]): Tabulated {
  const [first] = runs;
  const measures = Object.keys(first?.measures ?? {});
  const questions = first?.perQuestion ?? [];
  const isByQuestion = first?.perQuestion !== undefined;
  const header = ['measure', ...(isByQuestion ? ['question'] : []), ...runs.map(({ run }) => run)];
  const ofQuestions = questions.flatMap(({ id }, index) =>
    measures.map((measure) => [
      measure,
      id,
      ...runs.map(({ perQuestion }) => String(perQuestion?.[index]?.measures[measure] ?? '')),
    ]),
  );
  const means = measures.map((measure) => [
    measure,
    ...(isByQuestion ? ['all'] : []),
    ...runs.map((run) => String(run.measures[measure] ?? 'no question')),
  ]);
  return { header, rows: [...ofQuestions, ...means] };
}

/** Without a header, as trec_eval prints it. */
function formatBare(rows: Tabulated['rows']): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}
