import type { QuestionFile } from '../../evaluation/question-sets/import-questions.ts';
import type { QuestionEntry } from '../../evaluation/question-sets/stage-questions.ts';
import { readQuestions, readQuestionsJson } from '../../interchange/read-questions.ts';
import type { QuestionEntry as FileEntry, Reading } from '../../interchange/reading.ts';
import { isOwnQuestionSet } from '../../schemas/question-set-body.ts';
import {
  QuestionInput,
  toQuestionEntry,
  type QuestionSetInput,
} from '../../schemas/question-set.ts';
import { passEntries, type Reading as EntryReading } from './entry-lines.ts';
import { isStream, readText, type FileBody } from './file-body.ts';
import { toInputErrors } from './validation-issues.ts';

/** The questions of a body of any form. */
export function readQuestionFile(file: FileBody): QuestionFile {
  const { body, options } = file;
  if (isStream(body)) return { entries: checkQuestions(readQuestions(readText(file), options)) };
  if (!isOwnQuestionSet(body)) return { entries: checkQuestions(readQuestionsJson(body, options)) };
  const { questions, description } = body as QuestionSetInput;
  return { entries: readList(questions), description };
}

async function* readList(questions: readonly QuestionInput[]): AsyncGenerator<QuestionEntry> {
  for (const question of questions) yield toQuestionEntry(question);
}

/** Checks questions as they come; an issue has the pointer that it would have in a JSON body. */
async function* checkQuestions(
  readings: AsyncIterable<Reading<FileEntry>> | Iterable<Reading<FileEntry>>,
): AsyncGenerator<QuestionEntry> {
  async function* checked(): AsyncGenerator<EntryReading<QuestionEntry>> {
    let index = 0;
    for await (const reading of readings) {
      if ('issue' in reading) {
        const { pointer = `/questions/${index}`, ...issue } = reading.issue;
        yield [{ ...issue, pointer: `/body${pointer}` }];
      } else {
        const { value, line, pointer = `/questions/${index}` } = reading;
        const place = { pointer: `/body${pointer}`, ...(line !== undefined && { line }) };
        yield checkQuestion(value, place);
      }
      index += 1;
    }
  }
  for await (const { value } of passEntries(checked())) yield value;
}

function checkQuestion(
  { fields, isUnlabelled }: FileEntry,
  { pointer, line }: { readonly pointer: string; readonly line?: number },
): EntryReading<QuestionEntry> {
  const place = line === undefined ? {} : { line };
  const parsed = QuestionInput.safeParse(fields);
  if (!parsed.success) {
    const found = parsed.error.issues.flatMap((issue) => toInputErrors(issue, pointer));
    return found.map((error) => ({ ...error, ...place }));
  }
  const { question, grades } = toQuestionEntry(parsed.data);
  const value = { question, grades: isUnlabelled ? undefined : grades, ...place };
  return { value, ...place };
}
