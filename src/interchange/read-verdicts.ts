import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { quote } from '../ir/trec/trec-line-error.ts';
import { readWholeGrade } from './grade-mapping.ts';
import { endWithIssue, readPlace, type Reading } from './reading.ts';
import { peekText } from './split-lines.ts';
import { readTable } from './table.ts';

/** A row of a pool to which a judge gave a grade. */
export interface VerdictRow {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly note?: string;
  readonly documentVersion?: string;
}

const needed = ['questionid', 'documentid', 'grade'] as const;
const optional = ['note', 'documentversion'] as const;
/** What a pool shows to its judge. */
const shown = ['question', 'title', 'snippet'] as const;
const known: ReadonlySet<string> = new Set([...needed, ...optional, ...shown]);

type Cells = Readonly<Record<string, string>>;

/** Reads the CSV of a pool in which a judge filled in grades. Rows without a grade are passed over. */
export async function* readVerdicts(
  source: AsyncIterable<string>,
): AsyncGenerator<Reading<VerdictRow>> {
  yield* endWithIssue(readRows(source));
}

async function* readRows(source: AsyncIterable<string>): AsyncGenerator<Reading<VerdictRow>> {
  const { head, texts } = await peekText(source);
  let columns: readonly string[] | undefined;
  for await (const { line, fields } of readTable(texts, head)) {
    if (!columns) {
      columns = readHeader(fields, line);
      continue;
    }
    const names = columns;
    const reading = readPlace({ line }, () => toVerdict(names, fields));
    if (reading) yield reading;
  }
}

function readHeader(fields: readonly string[], line: number): readonly string[] {
  const names = fields.map((field) => field.trim().toLowerCase());
  const missing = needed.find((name) => !names.includes(name));
  const unknown = names.findIndex((name) => name !== '' && !known.has(name));
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  const reason =
    missing !== undefined
      ? `the header has no column '${missing}'; send the CSV of a pool with the columns questionId, documentId and grade`
      : unknown !== -1
        ? `the column ${quote(fields[unknown] ?? '')} is not known; remarks go into a column 'note'`
        : twice !== undefined && `the header has the column '${twice}' twice`;
  if (reason) throw new InterchangeError(reason, { line });
  return names;
}

function toVerdict(names: readonly string[], fields: readonly string[]): VerdictRow | undefined {
  if (fields.slice(names.length).some((field) => field.trim() !== '')) {
    const reason = `${fields.length} columns instead of ${names.length}; a field that holds the separator must be in quotation marks`;
    throw new InterchangeError(reason);
  }
  const cells: Cells = Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  const find = (name: string) => (cells[name] ?? '').trim();
  const grade = find('grade');
  const note = find('note');
  const documentVersion = find('documentversion');
  if (grade === '') {
    if (note === '') return undefined;
    throw new InterchangeError('has a note and no grade');
  }
  return {
    questionId: find('questionid'),
    documentId: find('documentid'),
    grade: readWholeGrade(grade),
    ...(note !== '' && { note }),
    ...(documentVersion !== '' && { documentVersion }),
  };
}
