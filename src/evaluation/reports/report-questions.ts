import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { Database } from '../../storage/database/database.ts';
import { pickHeadline } from '../../charts/headline.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import type { QuestionRow } from '../scoring/question-row.ts';
import { readQuestionTable, type TablePage } from '../scoring/read-question-table.ts';
import type { RowKind, RowOrder } from '../scoring/select-rows.ts';
import { escapeHtml, htmlTable } from './html.ts';

/** Rows of one folded part, so that a browser opens it at once. */
const rowsPerPart = 500;
/** A report is one file: questions beyond these, the worst first, are left to the service. */
const mostRows = 5000;
const mostNamed = 20;

interface Context {
  readonly db: Database;
  readonly memory: ResultCache;
}

/** The questions of an evaluation as HTML: where configurations differ most, where nothing was found, and all, folded. */
export async function reportQuestions(
  context: Context,
  { id, scorecard }: StoredEvaluation,
): Promise<string> {
  const measures = Object.keys(scorecard?.[0]?.measures ?? {});
  if (measures.length === 0) return '';
  const measure = pickHeadline(measures);
  const read = (order: RowOrder, limit: number, only?: RowKind) =>
    readQuestionTable(context, id, {
      measure,
      order,
      only,
      limit,
      k: 10,
      after: 0,
      attributes: {},
    });
  const differing = await read('difference', mostNamed, 'differs');
  const empty = await read('worst', mostNamed, 'nothing-found');
  const all = await read('worst', mostRows);
  return [
    ...named(`Questions that differ most on ${measure}`, differing),
    ...named('Questions for which a configuration found nothing relevant', empty),
    ...folded(all),
  ].join('\n');
}

function named(title: string, page: TablePage): readonly string[] {
  if (page.items.length === 0) return [];
  const rest = page.total - page.items.length;
  const more = rest > 0 ? [`<p>${rest} more are in the list of all questions.</p>`] : [];
  return [`<h2>${escapeHtml(title)}</h2>`, toTable(page, page.items), ...more];
}

function folded(page: TablePage): readonly string[] {
  const { items, total } = page;
  if (items.length === 0) return [];
  const starts = Array.from(
    { length: Math.ceil(items.length / rowsPerPart) },
    (_, index) => index * rowsPerPart,
  );
  const parts = starts.map((start) => {
    const rows = items.slice(start, start + rowsPerPart);
    const summary = `Questions ${start + 1} to ${start + rows.length}`;
    return `<details><summary>${summary}</summary>\n${toTable(page, rows)}\n</details>`;
  });
  const rest = total - items.length;
  const more =
    rest > 0 ? [`<p>${rest} more questions are left out; the service lists them.</p>`] : [];
  return ['<h2>All questions, the worst first</h2>', ...parts, ...more];
}

/** By configuration the value, and in parentheses the rank of the first relevant document. */
function toTable({ configurations, measure }: TablePage, rows: readonly QuestionRow[]): string {
  return htmlTable(
    ['id', 'question', ...configurations.map((name) => `${name}: ${measure} (first relevant)`)],
    rows.map((row) => [
      row.id,
      row.text,
      ...configurations.map((name) => toCell(row.configurations[name], measure)),
    ]),
  );
}

function toCell(cell: QuestionRow['configurations'][string] | undefined, measure: string): string {
  if (!cell) return '–';
  const value = cell.measures[measure];
  if (value === undefined) return cell.status;
  const rank = cell.firstRelevantRank === null ? 'not found' : `rank ${cell.firstRelevantRank}`;
  return `${value.toFixed(3)} (${rank})`;
}
