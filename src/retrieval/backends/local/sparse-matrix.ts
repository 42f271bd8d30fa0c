import type { PausableWork } from './pausable-work.ts';

/** Counts by row and column, zeros left out: row r is the entries from `offsets[r]` up to `offsets[r + 1]`. */
export interface SparseMatrix {
  readonly offsets: Uint32Array;
  /** The columns of each row's entries, ascending. */
  readonly columns: Uint32Array;
  readonly counts: Uint32Array;
}

/** Rows of counts in the order they were added. */
export interface MatrixRows {
  increment(column: number): void;
  endRow(): void;
  /** The matrix with rows and columns exchanged: of chunks by term it makes the postings of each term. */
  transpose(columnCount: number): PausableWork<SparseMatrix>;
}

/** The entries of a row, as a range of positions in `columns` and `counts`. */
export function getRow(matrix: SparseMatrix, row: number): { first: number; end: number } {
  return { first: matrix.offsets[row] ?? 0, end: matrix.offsets[row + 1] ?? 0 };
}

/** The first position from `first` up to `end` whose column is not below the one asked for. */
export function findColumn(
  { columns }: SparseMatrix,
  { first, end }: { readonly first: number; readonly end: number },
  column: number,
): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((columns[middle] as number) < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function createMatrixRows(): MatrixRows {
  const rows: Entries = { rowEnds: [], blocks: [], length: 0 };
  let counts = new Uint32Array(1024);
  let touched: number[] = [];
  return {
    increment(column) {
      if (column >= counts.length) counts = enlarge(counts, column);
      if (counts[column] === 0) touched.push(column);
      counts[column] = (counts[column] as number) + 1;
    },
    endRow() {
      for (const column of touched) {
        append(rows, column, counts[column] as number);
        counts[column] = 0;
      }
      touched = [];
      rows.rowEnds.push(rows.length);
    },
    transpose: (columnCount) => transpose(rows, columnCount),
  };
}

/** The matrix with rows and columns exchanged. */
export function transposeMatrix(
  { offsets, columns, counts }: SparseMatrix,
  columnCount: number,
): PausableWork<SparseMatrix> {
  const rows = {
    rowEnds: offsets.subarray(1),
    blocks: [{ columns, counts }],
    length: columns.length,
  };
  return transpose(rows, columnCount);
}

interface Block {
  readonly columns: Uint32Array;
  readonly counts: Uint32Array;
}

interface Rows {
  readonly rowEnds: ArrayLike<number>;
  readonly blocks: readonly Block[];
  readonly length: number;
}

interface Entries extends Rows {
  readonly rowEnds: number[];
  readonly blocks: Block[];
  length: number;
}

// Blocks, because one array that doubles would be copied whole, in one long step, each time it is full.
const blockLength = 65_536;
const stepLength = 8192;

function append(rows: Entries, column: number, count: number): void {
  const position = rows.length % blockLength;
  if (position === 0) {
    rows.blocks.push({
      columns: new Uint32Array(blockLength),
      counts: new Uint32Array(blockLength),
    });
  }
  const block = rows.blocks[rows.blocks.length - 1] as Block;
  block.columns[position] = column;
  block.counts[position] = count;
  rows.length += 1;
}

function enlarge(counts: Uint32Array, column: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(column + 1, counts.length * 2));
  larger.set(counts);
  return larger;
}

function* transpose(rows: Rows, columnCount: number): PausableWork<SparseMatrix> {
  const offsets = yield* countColumns(rows, columnCount);
  const next = offsets.slice();
  const columns = new Uint32Array(rows.length);
  const counts = new Uint32Array(rows.length);
  let row = 0;
  let entry = 0;
  for (const part of cut(rows)) {
    for (let index = 0; index < part.columns.length; index += 1) {
      const column = part.columns[index] as number;
      while (entry >= (rows.rowEnds[row] as number)) row += 1;
      const position = next[column] as number;
      columns[position] = row;
      counts[position] = part.counts[index] as number;
      next[column] = position + 1;
      entry += 1;
    }
    yield;
  }
  return { offsets, columns, counts };
}

function* countColumns(rows: Rows, columnCount: number): PausableWork<Uint32Array<ArrayBuffer>> {
  const offsets = new Uint32Array(columnCount + 1);
  for (const { columns } of cut(rows)) {
    for (const column of columns) offsets[column + 1] = (offsets[column + 1] as number) + 1;
    yield;
  }
  for (let column = 0; column < columnCount; column += 1) {
    offsets[column + 1] = (offsets[column + 1] as number) + (offsets[column] as number);
  }
  return offsets;
}

/** The entries in parts that are short enough for one step. */
function* cut({ blocks, length }: Rows): Iterable<Block> {
  let left = length;
  for (const { columns, counts } of blocks) {
    for (let start = 0; start < columns.length && left > 0; start += stepLength) {
      const end = Math.min(start + stepLength, start + left, columns.length);
      yield { columns: columns.subarray(start, end), counts: counts.subarray(start, end) };
      left -= end - start;
    }
  }
}
