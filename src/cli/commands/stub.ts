import { once } from 'node:events';

import { startAiCoreStub } from 'grounding-eval/testing';
import type { z } from 'zod';

import { toInputErrors } from '../../http/bodies/validation-issues.ts';
import { CorpusInput, DocumentInput, toDocument } from '../../schemas/corpus.ts';
import { tryParseJson } from '../../try-parse-json.ts';
import type { CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { openInput, readText, type InputFile } from '../files/input-file.ts';

export interface StubOptions extends CommonOptions {
  readonly corpus: string;
  readonly port?: number;
  readonly documentIdKey?: string;
}

/** Runs the stand-in for AI Core until it is told to stop. The result is the service key that leads to it. */
export async function stub({ options, output, signal }: CommandContext<StubOptions>): CommandEnd {
  const file = await openInput(options.corpus);
  const { documents, lexicon } = await readCorpus(file);
  const corpus = documents.map((document) => {
    const { id, title, paragraphs, metadata } = toDocument(document);
    return { id, title, paragraphs, metadata };
  });
  const { port, documentIdKey } = options;
  const started = await startAiCoreStub({ corpus, lexicon, port, documentIdKey });
  try {
    output.note(`The stand-in for AI Core listens on ${started.url}; this is its service key:`);
    await output.result(`${started.serviceKey}\n`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await started.close();
  }
  return exitCodes.done;
}

/** A corpus as JSON, or its documents one in a line. */
async function readCorpus(file: InputFile): Promise<z.infer<typeof CorpusInput>> {
  const text = await readText(file);
  if (file.format === 'json') return parse(file.name, text, CorpusInput);
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const documents = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parse(`${file.name}, line ${number}`, line, DocumentInput));
  return { documents };
}

function parse<Value>(place: string, text: string, schema: z.ZodType<Value>): Value {
  const value = tryParseJson(text);
  if (value === undefined) throw new CommandError(`${place}: is not JSON`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => toInputErrors(issue, ''));
  const reasons = errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`.trim());
  throw new CommandError(`${place}: ${reasons.join('; ')}`);
}
