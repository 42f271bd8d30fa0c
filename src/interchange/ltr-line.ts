import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import type { QrelsEntry } from '../ir/trec/qrels-line.ts';

/**
 * Reads a line of a judgment list for learning to rank (RankLib, LETOR, the Elasticsearch LTR plugin):
 * `2 qid:6 1:0.3 # D07 title` or `… #docid = D07 inc = 1`. Undefined for a blank line or a comment.
 */
export function parseLtrLine(
  line: string,
  readGrade: (text: string) => number,
): QrelsEntry | undefined {
  if (/^\s*(?:#|$)/.test(line)) return undefined;
  const [, grade = '', questionId = '', comment = ''] =
    /^\s*(\S+)\s+qid:(\S+)(?:\s+[^\s:#]+:[^\s#]+)*\s*(?:#\s*(.*?)\s*)?$/.exec(line) ?? [];
  if (questionId === '') {
    throw new InterchangeError('the line is not of the form: grade qid:question # document');
  }
  const [, named, first = ''] = /^(?:docid\s*=\s*(\S+).*|(\S+).*)$/i.exec(comment) ?? [];
  const documentId = named ?? first;
  if (documentId === '') {
    throw new InterchangeError("the line names no document: it must follow '#' as its first word");
  }
  return { questionId, documentId, grade: readGrade(grade) };
}
