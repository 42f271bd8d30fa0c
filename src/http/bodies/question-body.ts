import type { Readable } from 'node:stream';

import type { QuestionFile } from '../../evaluation/question-sets/import-questions.ts';
import type { QuestionEntry } from '../../evaluation/question-sets/stage-questions.ts';
import { warnIf, type Warning } from '../../model/warnings.ts';
import {
  QuestionInput,
  toQuestionEntry,
  type QuestionSetInput,
} from '../../schemas/question-set.ts';
import { readBeirQuestions } from './beir-body.ts';
import { readJsonLines, readLines, type Line } from './line-body.ts';

/** The questions of a body of any form; `countDropped` warns, once they are read, of what is not kept. */
export function readQuestionFile(
  body: QuestionSetInput | Readable,
  { isBeir, maxBodyBytes }: { readonly isBeir: boolean; readonly maxBodyBytes: number },
): { readonly file: QuestionFile; readonly countDropped: () => readonly Warning[] } {
  const metadata = { dropped: 0 };
  const message = 'Metadata of questions are not stored';
  const countDropped = () => warnIf(metadata.dropped, { code: 'dropped-metadata', message });
  if ('questions' in body) {
    const file = { entries: readList(body.questions), description: body.description };
    return { file, countDropped };
  }
  const lines = readLines(body, maxBodyBytes);
  const entries = isBeir ? readTexts(lines, metadata) : readQuestions(lines);
  return { file: { entries }, countDropped };
}

/** The questions of a `queries.jsonl`, of which it counts what is not kept. */
async function* readTexts(
  lines: AsyncIterable<Line>,
  metadata: { dropped: number },
): AsyncGenerator<QuestionEntry> {
  for await (const { value, line } of readBeirQuestions(lines)) {
    const { id, text, hasMetadata } = value;
    if (hasMetadata) metadata.dropped += 1;
    yield { question: { id, text, tags: [], answerable: true, forbidden: [] }, line };
  }
}

async function* readQuestions(lines: AsyncIterable<Line>): AsyncGenerator<QuestionEntry> {
  for await (const { value, line } of readJsonLines(lines, QuestionInput, 'questions')) {
    yield { ...toQuestionEntry(value), line };
  }
}

async function* readList(questions: readonly QuestionInput[]): AsyncGenerator<QuestionEntry> {
  for (const question of questions) yield toQuestionEntry(question);
}
