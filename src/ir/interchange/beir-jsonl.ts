import { checkId } from './check-id.ts';
import { InterchangeError } from './interchange-error.ts';

/** A line of BEIR's `queries.jsonl`. */
export interface BeirQuestion {
  readonly questionId: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A line of BEIR's `corpus.jsonl`. */
export interface BeirDocument {
  readonly documentId: string;
  /** Empty where the line has none. */
  readonly title: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Reads a line of `queries.jsonl`; undefined for a blank one. Other fields than BEIR's are refused. */
export function parseBeirQuestion(line: string): BeirQuestion | undefined {
  const fields = parseFields(line, ['_id', 'text', 'metadata']);
  return (
    fields && {
      questionId: readId(fields, 'question id'),
      text: readText(fields, 'text'),
      ...readMetadata(fields),
    }
  );
}

/** Writes the line without its end. */
export function formatBeirQuestion({ questionId, text, metadata }: BeirQuestion): string {
  return JSON.stringify({ _id: checkId(questionId, 'question id'), text, metadata });
}

/** Reads a line of `corpus.jsonl`; undefined for a blank one. Other fields than BEIR's are refused. */
export function parseBeirDocument(line: string): BeirDocument | undefined {
  const fields = parseFields(line, ['_id', 'title', 'text', 'metadata']);
  return (
    fields && {
      documentId: readId(fields, 'document id'),
      title: fields['title'] === undefined ? '' : readText(fields, 'title'),
      text: readText(fields, 'text'),
      ...readMetadata(fields),
    }
  );
}

/** Writes the line without its end. */
export function formatBeirDocument({ documentId, title, text, metadata }: BeirDocument): string {
  return JSON.stringify({ _id: checkId(documentId, 'document id'), title, text, metadata });
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(line: string, known: readonly string[]): Fields | undefined {
  if (line.trim() === '') return undefined;
  const value = parseJson(line);
  if (!isRecord(value)) throw new InterchangeError('the line is not a JSON object');
  const unknownField = Object.keys(value).find((name) => !known.includes(name));
  if (unknownField !== undefined) {
    throw new InterchangeError(
      `unknown field '${unknownField}'; known fields are ${known.join(', ')}`,
    );
  }
  return value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new InterchangeError('the line is not JSON', { cause: error });
  }
}

/** Some collections have numbers for ids; they are the same ids as text. */
function readId({ _id: id }: Fields, what: string): string {
  if (typeof id === 'string') return checkId(id, what);
  if (Number.isSafeInteger(id)) return String(id);
  throw new InterchangeError(`the ${what} '_id' is neither text nor a whole number`);
}

function readText(fields: Fields, name: string): string {
  const text = fields[name];
  if (typeof text !== 'string') throw new InterchangeError(`the field '${name}' is not text`);
  return text;
}

function readMetadata({ metadata }: Fields): { readonly metadata?: Fields } {
  if (metadata === undefined || metadata === null) return {};
  if (!isRecord(metadata)) throw new InterchangeError("the field 'metadata' is not an object");
  return { metadata };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
