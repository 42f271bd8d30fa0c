import { z } from 'zod';

/** A body that arrives as lines of text; the route reads it as a stream. */
function lines(description: string, example: string) {
  return z.unknown().meta({ override: { type: 'string' }, description, example });
}

export const ndjsonBody = {
  schema: lines('One JSON object per line.', '{"id":"…"}'),
} as const;

export const questionTableBody = {
  schema: lines(
    'A table with a header, separated by commas, semicolons or tabs: id (optional), text or question, kind, process, language, user, split, tags, answerable; with document and grade, one row for each judgment',
    'id,text,kind\nq06,supplier sent less than it billed,paraphrase',
  ),
} as const;

export const questionLinesBody = {
  schema: lines('One question per line', 'supplier sent less than it billed'),
} as const;

export const qrelsBody = {
  schema: lines('TREC qrels: qid iteration docid grade', 'q06 0 D07 2'),
} as const;

export const csvQrelsBody = {
  schema: lines(
    'CSV with the header question,document,grade',
    'question,document,grade\nq06,D07,2',
  ),
} as const;

export const gradedPoolBody = {
  schema: lines(
    'The CSV of a pool with grades, separated by commas or semicolons: questionId, documentId, grade and, if wanted, note and documentVersion. Rows without a grade are skipped.',
    'questionId,question,documentId,title,snippet,grade\nq06,supplier sent less,D07,Variances,,2',
  ),
} as const;

export const beirQrelsBody = {
  schema: lines('BEIR qrels with their header', 'query-id\tcorpus-id\tscore\nq06\tD07\t2'),
} as const;

export const csvRunBody = {
  schema: lines(
    'CSV with the header question,document,score or question,document,rank',
    'question,document,score\nq06,D07,7.1',
  ),
} as const;

export const trecRunBody = {
  schema: lines('TREC run: qid Q0 docid rank score tag', 'q06 Q0 D07 1 7.1 hana'),
} as const;

const text = z.string();

/** Where the content of a file decides how it is read. */
export const anyTextBody = {
  schema: lines('A file of any form that is read; its content decides.', 'question,document,grade'),
} as const;

/** A response that is text, and may be long. */
export const ndjsonResponse = { schema: text } as const;
export const textResponse = { schema: text } as const;
