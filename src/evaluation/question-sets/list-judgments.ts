import { InvalidInputError } from '../../errors.ts';
import type { Judgment } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { toPage, type Page, type PageRequest } from '../../storage/database/paging.ts';
import { findVersion } from '../../storage/question-sets/question-set-versions.ts';
import { streamQuestions, type QuestionSelection } from '../../storage/question-sets/questions.ts';
import { isVerdict } from './merge-judgments.ts';

export interface ListedJudgment extends Omit<Judgment, 'fromFile'> {
  readonly questionId: string;
  readonly source: 'judge' | 'file';
}

/** Places are others in another version of the set, and in one of the same number after the set was deleted. */
interface Place {
  readonly version: number;
  /** When the version was made, in milliseconds. */
  readonly madeAt: number;
  readonly question: number;
  readonly judgment: number;
}

/**
 * The judgments of a version: by question in the set's order, then as they were given. A page that goes on
 * from another is of the same version as that. Refuses one whose version was deleted.
 */
export async function listJudgments(
  db: Database,
  selection: QuestionSelection,
  { limit, after }: PageRequest,
): Promise<Page<ListedJudgment>> {
  const { questionSet } = selection;
  const given = after === undefined ? undefined : parsePlace(after);
  const version = given?.version ?? selection.version;
  const found = await findVersion(db, questionSet, version);
  const madeAt = Date.parse(found?.createdAt ?? '');
  if (given && given.madeAt !== madeAt) throw notACursor();
  const start = given ?? { question: -1, judgment: -1 };
  const rows: {
    readonly place: Pick<Place, 'question' | 'judgment'>;
    readonly judgment: ListedJudgment;
  }[] = [];
  // The question of the cursor may have more judgments than the page before showed.
  const range = { after: start.question - 1, likely: limit + 2 };
  const questions = streamQuestions(db, { questionSet, version }, range);
  for await (const { position, question } of questions) {
    const first = position === start.question ? start.judgment + 1 : 0;
    for (const [index, judgment] of [...question.judgments.entries()].slice(first)) {
      const place = { question: position, judgment: index };
      rows.push({ place, judgment: toListed(question.id, judgment) });
    }
    if (rows.length > limit) break;
  }
  return toPage(rows, limit, {
    toItem: ({ judgment }) => judgment,
    toCursor: ({ place }) => [version, madeAt, place.question, place.judgment].join('.'),
  });
}

function toListed(questionId: string, { fromFile, ...judgment }: Judgment): ListedJudgment {
  const source = isVerdict({ ...judgment, fromFile }) ? 'judge' : 'file';
  return { questionId, ...judgment, source };
}

function parsePlace(cursor: string): Place {
  const parts = /^(\d{1,9})\.(\d{1,16})\.(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  const [version, madeAt, question, judgment] = parts.slice(1).map(Number);
  if (
    version !== undefined &&
    madeAt !== undefined &&
    question !== undefined &&
    judgment !== undefined
  ) {
    return { version, madeAt, question, judgment };
  }
  throw notACursor();
}

function notACursor(): InvalidInputError {
  const errors = [{ pointer: '/query/cursor', detail: 'is not a cursor of this list' }];
  return new InvalidInputError('Invalid cursor', errors);
}
