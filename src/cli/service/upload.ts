import { createHash } from 'node:crypto';

import { CommandError } from '../exit-codes.ts';
import type { FileFormat } from '../files/detect-format.ts';
import { readBytes, type InputFile } from '../files/input-file.ts';
import { isStored, toName, type Source } from '../files/source.ts';
import type { FileBody, Service } from './service.ts';

const mediaTypes = {
  trec: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
} as const satisfies Record<FileFormat, string>;

/** Brings qrels, or questions with their judgments, and returns the name of the set. Default: a name by the content. */
export async function uploadQuestions(
  service: Service,
  source: Source,
  name?: string,
): Promise<string> {
  if (isStored(source)) return source.storedName;
  const bytes = await readBytes(source);
  const set = name ?? nameByContent(source, bytes);
  const isQuestions = isQuestionFile(source, bytes);
  const resource = `/v1/question-sets/${encodeURIComponent(set)}`;
  const path = isQuestions ? resource : `${resource}/qrels?create=true`;
  await service.call({ method: 'PUT', path, body: toBody(source, bytes) });
  return set;
}

/** Brings a run and returns its name. Default: a name by the content. */
export async function uploadRun(service: Service, source: Source, name?: string): Promise<string> {
  if (isStored(source)) return source.storedName;
  const bytes = await readBytes(source);
  const run = name ?? nameByContent(source, bytes);
  const path = `/v1/runs/${encodeURIComponent(run)}`;
  await service.call({ method: 'PUT', path, body: toBody(source, bytes) });
  return run;
}

/** Adds judgments to a question set that is there. */
export async function uploadQrels(service: Service, source: Source, set: string): Promise<void> {
  const file = requireFile(source, 'qrels');
  const path = `/v1/question-sets/${encodeURIComponent(set)}/qrels`;
  await service.call({ method: 'PUT', path, body: toBody(file, await readBytes(file)) });
}

/** Brings the documents of the local backend. */
export async function uploadCorpus(service: Service, source: Source, name: string): Promise<void> {
  const file = requireFile(source, 'corpus');
  const path = `/v1/corpora/${encodeURIComponent(name)}`;
  await service.call({ method: 'PUT', path, body: toBody(file, await readBytes(file)) });
}

function requireFile(source: Source, what: string): InputFile {
  if (!isStored(source)) return source;
  throw new CommandError(`'@${source.storedName}': ${what} must be a file here`);
}

/** The same file always has the same name, and another one never. */
function nameByContent({ name }: InputFile, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return `${toName(name).slice(0, 55)}-${hash}`;
}

function toBody({ name, format }: InputFile, bytes: Uint8Array): FileBody {
  async function* oneChunk(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { type: mediaTypes[format], name, chunks: oneChunk() };
}

/** Lines of JSON with texts, and tables without documents, are questions; JSON of qrels maps questions to documents. */
function isQuestionFile({ format }: InputFile, bytes: Uint8Array): boolean {
  if (format === 'trec') return false;
  const text = new TextDecoder().decode(bytes);
  if (format === 'csv' || format === 'tsv') return !hasDocuments(text);
  const parsed = parseJson(format === 'json' ? text : text.trimStart().split('\n', 1)[0]);
  if (Array.isArray(parsed)) return true;
  const isObject = typeof parsed === 'object' && parsed !== null;
  if (format === 'jsonl') return !isObject || 'text' in parsed;
  return isObject && 'questions' in parsed && Array.isArray(parsed.questions);
}

function hasDocuments(table: string): boolean {
  const header = table.split(/\r?\n/).find((line) => !line.startsWith('sep=')) ?? '';
  const columns = header.split(/[,;\t]/).map((column) => column.replaceAll('"', '').trim());
  return columns.some((column) => /^(?:doc|document|corpus)(?:[-_ ]?id)?$/i.test(column));
}

/** Of what is no JSON the service says what is wrong, and where. */
function parseJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
