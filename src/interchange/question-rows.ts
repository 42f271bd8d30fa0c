import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { toQuestionId } from './question-id.ts';
import { readPlace, type QuestionEntry, type Reading } from './reading.ts';
import { readGrade, readId, type Fields, type FileRecord, type ReadOptions } from './records.ts';

const attributes = ['kind', 'process', 'language', 'user', 'split'] as const;

interface Collected {
  readonly line: number | undefined;
  readonly fields: Record<string, unknown>;
  /** Undefined: the table has no documents. */
  readonly relevant: Map<string, number> | undefined;
}

/**
 * Makes questions of rows: one row a question, or one a question and document. Rows of one question stand
 * anywhere, so all of them are held until the end. A row that says the same twice counts once; one that
 * contradicts another is refused.
 */
export async function* collectQuestions(
  records: AsyncIterable<FileRecord>,
  options: ReadOptions,
): AsyncGenerator<Reading<QuestionEntry>> {
  const collected = new Map<string, Collected>();
  for await (const record of records) {
    if ('issue' in record) yield record;
    if (!('fields' in record)) continue;
    const reading = readPlace<never>(record.place, () => {
      addRow(collected, record, options);
      return undefined;
    });
    if (reading) yield reading;
  }
  for (const { fields, relevant, line } of collected.values()) {
    const value = {
      fields: { ...fields, ...(relevant && { relevant: Object.fromEntries(relevant) }) },
      isUnlabelled: relevant === undefined,
    };
    yield { value, ...(line !== undefined && { line }) };
  }
}

function addRow(
  collected: Map<string, Collected>,
  { fields, place }: { readonly fields: Fields; readonly place: FileRecord['place'] },
  options: ReadOptions,
): void {
  const text = fields.question?.trim() ?? '';
  const named = options.notes.trim(fields.questionId ?? '');
  if (text === '' && named === '') throw new InterchangeError('the question has no text');
  const id = named === '' ? toQuestionId(text) : readId(named, 'question id', options);
  const before = collected.get(id);
  const row = { id, ...(text !== '' && { text }), ...readAttributes(fields) };
  const question = before ?? { line: place.line, fields: row, relevant: toRelevant(fields) };
  collected.set(id, question);
  const isAdded = before ? addFields(question, row) : true;
  const isJudged = addJudgment(question, { id, fields }, options);
  if (!isAdded && !isJudged) options.notes.addRepeated(id);
}

function toRelevant({ document, grade }: Fields): Map<string, number> | undefined {
  return document === undefined && grade === undefined ? undefined : new Map();
}

function readAttributes(fields: Fields): Record<string, unknown> {
  const given = attributes.flatMap((name) => {
    const text = fields[name]?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const tags = (fields.tags ?? '')
    .split(/[|,;]/)
    .map((tag) => tag.trim())
    .filter(Boolean);
  const answerable = fields.answerable?.trim().toLowerCase() ?? '';
  return {
    ...Object.fromEntries(given),
    ...(tags.length > 0 && { tags }),
    ...(answerable !== '' && { answerable: readBoolean(answerable) }),
  };
}

function readBoolean(text: string): boolean {
  if (['true', 'yes', '1'].includes(text)) return true;
  if (['false', 'no', '0'].includes(text)) return false;
  throw new InterchangeError("the column 'answerable' must hold true or false");
}

/** Takes what an earlier row of the question left open; false: it says nothing new. */
function addFields({ fields, line }: Collected, row: Record<string, unknown>): boolean {
  let isNew = false;
  for (const [name, value] of Object.entries(row)) {
    const other = fields[name];
    if (other === undefined) {
      fields[name] = value;
      isNew = true;
    } else if (JSON.stringify(other) !== JSON.stringify(value)) {
      const where = line === undefined ? 'an earlier row' : `line ${line}`;
      throw new InterchangeError(
        `question '${String(row['id'])}' has another '${name}' here than in ${where}`,
      );
    }
  }
  return isNew;
}

/** Whether the row has a judgment that was not there. */
function addJudgment(
  { relevant }: Collected,
  { id, fields }: { readonly id: string; readonly fields: Fields },
  options: ReadOptions,
): boolean {
  if (!relevant) return false;
  const { notes } = options;
  const grade = fields.grade?.trim();
  const isNamed = notes.trim(fields.document ?? '') !== '';
  if (grade === '' || (grade === undefined && !isNamed)) {
    notes.addUngraded(id);
    return true;
  }
  const documentId = readId(fields.document ?? '', 'document id', options);
  if (grade === undefined) notes.addPlain(id);
  const value = grade === undefined ? 1 : readGrade(grade, options);
  const other = relevant.get(documentId);
  if (other !== undefined && other !== value) {
    throw new InterchangeError(
      `document '${documentId}' has grade ${value} here and ${other} in another row of question '${id}'`,
    );
  }
  relevant.set(documentId, value);
  return other === undefined;
}
