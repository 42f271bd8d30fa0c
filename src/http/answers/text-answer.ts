import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { AppError } from '../../errors.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { losses } from '../../ir/interchange/losses.ts';
import { TrecLineError } from '../../ir/trec/trec-line-error.ts';
import { inBlocks, sendStream } from './streams.ts';

/** As much text is kept, rather than made a second time. */
const keptLength = 512 * 1024;

/**
 * Writes an interchange format as a stream. Every line is made once before the first is sent, because an
 * id that the format cannot hold must be an answer with a reason, not a file that breaks off.
 */
export async function writeText(
  format: string,
  produce: () => AsyncIterable<string>,
): Promise<Readable> {
  const read = () => inBlocks(produce());
  try {
    const kept: string[] = [];
    let length = 0;
    for await (const block of read()) {
      length += block.length;
      if (length <= keptLength) kept.push(block);
    }
    if (length <= keptLength) return Readable.from(kept);
  } catch (error) {
    if (!(error instanceof TrecLineError || error instanceof InterchangeError)) throw error;
    const message = `Cannot be written as ${format}: ${error.message}. Request it as JSON instead`;
    throw new AppError('not-acceptable', message, { cause: error });
  }
  return Readable.from(read());
}

/** Answers with a file of an interchange format, and says in a header what the format cannot hold (a list of strings, RFC 9651). */
export function sendFormat<Reply extends object>(
  reply: Reply,
  file: {
    readonly type: string;
    readonly stream: Readable;
    readonly losses: keyof typeof losses;
  },
): Reply {
  const sentences = losses[file.losses].map((sentence) => `"${sentence}"`);
  void (reply as unknown as FastifyReply).header('format-losses', sentences.join(', '));
  const isText = file.type.startsWith('text/');
  const type = isText ? `${file.type}; charset=utf-8` : file.type;
  return sendStream(reply, { type, stream: file.stream });
}
