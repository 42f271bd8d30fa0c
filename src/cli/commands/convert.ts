import type { CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { convertCollection, type CollectionKind } from './convert-collection.ts';
import { openInput, type InputFile } from '../files/input-file.ts';
import { writeResultFile } from '../output/output.ts';
import { withService } from '../service/open-service.ts';
import { uploadQuestions, uploadRun } from '../service/upload.ts';

export interface ConvertOptions extends CommonOptions {
  readonly kind?: 'qrels' | 'run' | CollectionKind;
}

const mediaTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  trec: 'text/plain',
  qrels: 'text/plain',
  run: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
};

/** Writes qrels, a run or a test collection in another format, by the extension of the new file. What is lost on the way is told. */
export async function convert(
  from: string,
  to: string,
  { options, output, signal }: CommandContext<ConvertOptions>,
): CommandEnd {
  const accept = mediaTypes[/\.([a-z]+)$/i.exec(to)?.[1]?.toLowerCase() ?? ''];
  if (accept === undefined) {
    const known = Object.keys(mediaTypes).map((extension) => `.${extension}`);
    throw new CommandError(`${to}: the extension names the format: ${known.join(', ')}`);
  }
  const file = await openInput(from);
  const kind = options.kind ?? findKind(file);
  if (kind === 'documents' || kind === 'topics') {
    await convertCollection(file, to, kind);
    return exitCodes.done;
  }
  await withService({ options: {}, signal }, async (service) => {
    const name = await (kind === 'run' ? uploadRun(service, file) : uploadQuestions(service, file));
    const isSet = accept === 'application/x-ndjson';
    const path =
      kind === 'run' ? `/v1/runs/${name}` : `/v1/question-sets/${name}${isSet ? '' : '/qrels'}`;
    const { body, headers } = await service.call({ method: 'GET', path, accept });
    await writeResultFile(to, body.endsWith('\n') ? body : `${body}\n`);
    const losses = headers?.['format-losses'];
    if (losses !== undefined) output.note(`${to} does not hold: ${losses}`);
  });
  return exitCodes.done;
}

/** Runs have scores or ranks, qrels have grades. JSON of ranx has the same form for both. */
function findKind({ name, head, format }: InputFile): 'qrels' | 'run' {
  const start = new TextDecoder()
    .decode(head.subarray(0, 4096))
    .replace(/^\uFEFF/, '')
    .trimStart();
  const [line = ''] = start.split(/\r?\n/, 1);
  if (format === 'trec') return line.trim().split(/\s+/).length === 4 ? 'qrels' : 'run';
  if (format === 'csv') return /\bgrade\b/i.test(line) ? 'qrels' : 'run';
  if (format === 'tsv' || format === 'jsonl') return 'qrels';
  if (/^\{\s*"rankings"/.test(start)) return 'run';
  if (/^(\[|\{\s*"(questions|description)")/.test(start)) return 'qrels';
  throw new CommandError(`${name}: say what it holds with --kind qrels or --kind run`);
}
