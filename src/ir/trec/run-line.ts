import { checkColumns, isComment, splitColumns, type LineOptions } from './columns.ts';
import { quote, TrecLineError } from './trec-line-error.ts';
import { checkWritableId, checkWritableQuestionId } from './writable-id.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

/** What a line of a TREC run says. Its order in the question comes from the score alone (`orderAsTrec`). */
export interface RunEntry {
  readonly questionId: QuestionId;
  readonly documentId: DocumentId;
  readonly score: number;
  /** The name of the run. */
  readonly tag: string;
}

/**
 * Reads one line `qid Q0 docid rank score tag`, with or without its line end; undefined for a blank line
 * or a comment (`#`). Q0 and the rank are not looked at. Throws a TrecLineError for anything else that is
 * not exactly an entry: where trec_eval guesses (the score "abc" is 0), this refuses.
 */
export function parseRunLine(line: string, options: LineOptions = {}): RunEntry | undefined {
  return parseRunColumns(splitColumns(line, options));
}

/** As `parseRunLine`, of a line that is split already. */
export function parseRunColumns(columns: readonly string[]): RunEntry | undefined {
  if (columns.length === 0) return undefined;
  const [questionId = '', , documentId = '', , scoreText = '', tag = ''] = columns;
  const score = parseScore(scoreText);
  if (isComment(columns, () => columns.length === 6 && score !== undefined)) return undefined;
  checkColumns(columns, 'qid Q0 docid rank score tag');
  if (score === undefined) {
    throw new TrecLineError(`the score ${quote(scoreText)} is not a finite number`);
  }
  return { questionId, documentId, score, tag };
}

/** Writes the line without its end; the score in the shortest form that is read back as the same double. */
export function formatRunLine(entry: RunEntry & { readonly rank: number }): string {
  const { questionId, documentId, rank, score, tag } = entry;
  checkWritableQuestionId(questionId);
  checkWritableId(documentId, 'document id');
  checkWritableId(tag, 'tag');
  if (!Number.isSafeInteger(rank) || rank < 1) {
    throw new TrecLineError(`the rank ${rank} is not a whole number of 1 or more`);
  }
  if (!Number.isFinite(score)) {
    throw new TrecLineError(`the score ${score} is not a finite number`);
  }
  return `${questionId} Q0 ${documentId} ${rank} ${score} ${tag}`;
}

function parseScore(text: string): number | undefined {
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text)) return undefined;
  const score = Number(text);
  // + 0 turns -0 into 0.
  return Number.isFinite(score) ? score + 0 : undefined;
}
