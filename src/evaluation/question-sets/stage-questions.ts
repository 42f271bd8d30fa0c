import type { Question } from '../../model/question.ts';
import type { Draft } from '../../storage/catalog/drafts.ts';
import { stageTexts, type StagedBatch, type StagedText } from '../catalog/staging.ts';

/** A question as a file brings it. */
export interface QuestionEntry {
  /** Where the file says nothing of attributes, those of a new question. */
  readonly question: Omit<Question, 'judgments'>;
  /** Grade by document; undefined: the file has texts alone, so that attributes and judgments stay. */
  readonly grades?: readonly (readonly [documentId: string, grade: number])[] | undefined;
  /** Where it stands in a text; absent in JSON. */
  readonly line?: number | undefined;
}

export interface PlacedEntry extends QuestionEntry {
  /** Its number among the questions of the body, from 0. */
  readonly place: number;
}

export interface StagedQuestions {
  /** All questions, those of one id in one batch. Can be read again. */
  readonly read: () => AsyncGenerator<readonly PlacedEntry[]>;
}

/** Puts questions aside as they come. */
export async function stageQuestions(
  draft: Draft,
  entries: AsyncIterable<QuestionEntry>,
): Promise<StagedQuestions> {
  async function* texts(): AsyncGenerator<readonly StagedText[]> {
    let place = 0;
    for await (const { question, grades, line } of entries) {
      const entry = { place, question, grades, line } satisfies PlacedEntry;
      yield [{ questionId: question.id, text: JSON.stringify(entry) }];
      place += 1;
    }
  }
  const staged = await stageTexts(draft, texts());
  async function* read(): AsyncGenerator<readonly PlacedEntry[]> {
    for await (const { questions } of staged.read(createBatch)) yield questions;
  }
  return { read };
}

/** Characters: about a megabyte once they are parsed. */
const lengthPerBatch = 250_000;

function createBatch(): StagedBatch & { readonly questions: readonly PlacedEntry[] } {
  const questions: PlacedEntry[] = [];
  let length = 0;
  return {
    questions,
    isEmpty: () => questions.length === 0,
    isFull: () => length >= lengthPerBatch,
    add(body) {
      length += body.length;
      for (const entry of JSON.parse(body) as readonly PlacedEntry[]) questions.push(entry);
    },
  };
}
