import { createHash } from 'node:crypto';

const maxIdLength = 512;

/**
 * The id of a question that a file names by its text alone: the text, so that judgments and runs that name
 * it by its text as well belong together. A text too long for an id is cut and gets a part of its hash.
 */
export function toQuestionId(text: string): string {
  if (text.length <= maxIdLength) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, maxIdLength - 20).toWellFormed()}… ${hash}`;
}
