import type { SliceDimension } from '../../model/question.ts';
import type { QuestionCell, QuestionRow } from './question-row.ts';

export const rowOrders = ['position', 'worst', 'difference', 'ascending', 'descending'] as const;
/**
 * `worst`: the lowest value of any configuration first; `difference`: the largest difference between configurations
 * first; `ascending`, `descending`: by the value of one configuration. Rows without a value come last.
 */
export type RowOrder = (typeof rowOrders)[number];

export const rowKinds = ['failed', 'leaks', 'differs', 'unjudged', 'nothing-found'] as const;
/**
 * `failed`, `leaks`, `unjudged`: in any configuration; `differs`: the configurations have not the same value;
 * `nothing-found`: some configuration found no relevant document.
 */
export type RowKind = (typeof rowKinds)[number];

export interface RowSelection {
  /** By name, as scorecards have them. */
  readonly measure: string;
  readonly order: RowOrder;
  /** The configuration of the orders by one value; undefined: the first that a row has. */
  readonly by?: string | undefined;
  readonly only?: RowKind | undefined;
  /** Exact values of attributes; for tags, one of them. */
  readonly attributes: Readonly<Partial<Record<SliceDimension, string>>>;
  /** Part of the id or the text, in any case. */
  readonly text?: string | undefined;
}

/** The rows that a selection names, in its order; rows that are equal in it stay in the set's order. */
export function selectRows(
  rows: readonly QuestionRow[],
  selection: RowSelection,
): readonly QuestionRow[] {
  const found = rows.filter((row) => isSelected(row, selection));
  if (selection.order === 'position') return found;
  const keyed = found.map((row) => ({ row, key: toKey(row, selection) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row);
}

function isSelected(row: QuestionRow, { only, attributes, text, measure }: RowSelection): boolean {
  if (only && !tests[only](row, measure)) return false;
  if (!Object.entries(attributes).every(([name, value]) => hasAttribute(row, name, value))) {
    return false;
  }
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  return row.id.toLowerCase().includes(wanted) || row.text.toLowerCase().includes(wanted);
}

function hasAttribute(row: QuestionRow, name: string, value: string): boolean {
  const found = row[name as SliceDimension];
  return Array.isArray(found) ? found.includes(value) : found === value;
}

const tests: Readonly<Record<RowKind, (row: QuestionRow, measure: string) => boolean>> = {
  failed: (row) => listCells(row).some(({ status }) => status === 'failed'),
  leaks: (row) => listCells(row).some(({ leaks }) => leaks > 0),
  unjudged: (row) => listCells(row).some(({ unjudged }) => unjudged > 0),
  'nothing-found': (row, measure) =>
    listCells(row).some((cell) => cell.firstRelevantRank === null && measure in cell.measures),
  differs: (row, measure) => new Set(listValues(row, measure)).size > 1,
};

function listCells({ configurations }: QuestionRow): readonly QuestionCell[] {
  return Object.values(configurations);
}

/** Lower keys come first; Infinity: without a value. */
function toKey(row: QuestionRow, { order, measure, by }: RowSelection): number {
  const values = listValues(row, measure);
  if (values.length === 0) return Infinity;
  if (order === 'worst') return Math.min(...values);
  if (order === 'difference') return Math.min(...values) - Math.max(...values);
  const value = by === undefined ? values[0] : row.configurations[by]?.measures[measure];
  if (value === undefined) return Infinity;
  return order === 'descending' ? -value : value;
}

function listValues(row: QuestionRow, measure: string): readonly number[] {
  return listCells(row).flatMap(({ measures }) => measures[measure] ?? []);
}
