import { InvalidInputError } from '../errors.ts';
import type { Judgment } from '../ir/question.ts';
import type { Database } from '../storage/database.ts';
import { toPage, type Page, type PageRequest } from '../storage/paging.ts';
import { streamQuestions, type QuestionSelection } from '../storage/question-sets.ts';

export interface ListedJudgment extends Judgment {
  readonly questionId: string;
}

interface Place {
  readonly question: number;
  readonly judgment: number;
}

/** The judgments of a version: by question in the set's order, then as they were given. */
export async function listJudgments(
  db: Database,
  selection: QuestionSelection,
  { limit, after }: PageRequest,
): Promise<Page<ListedJudgment>> {
  const start = after === undefined ? { question: -1, judgment: -1 } : parsePlace(after);
  const rows: { readonly place: Place; readonly judgment: ListedJudgment }[] = [];
  // The question of the cursor may have more judgments than the page before showed.
  for await (const { position, question } of streamQuestions(db, selection, start.question - 1)) {
    const first = position === start.question ? start.judgment + 1 : 0;
    for (const [index, judgment] of [...question.judgments.entries()].slice(first)) {
      const place = { question: position, judgment: index };
      rows.push({ place, judgment: { questionId: question.id, ...judgment } });
    }
    if (rows.length > limit) break;
  }
  return toPage(rows, limit, {
    toItem: ({ judgment }) => judgment,
    toCursor: ({ place }) => `${place.question}.${place.judgment}`,
  });
}

function parsePlace(cursor: string): Place {
  const [, question, judgment] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (question !== undefined && judgment !== undefined) {
    return { question: Number(question), judgment: Number(judgment) };
  }
  const errors = [{ pointer: '/query/cursor', detail: 'is not a cursor of this list' }];
  throw new InvalidInputError('The cursor cannot be used', errors);
}
