import { stringify } from 'csv-stringify/sync';

import { mapStream } from './streams.ts';
import { toCell } from './table-text.ts';

/** A question of a pool with its documents. */
interface PooledQuestion {
  readonly id: string;
  readonly text: string;
  readonly documents: readonly {
    readonly documentId: string;
    readonly title: string | null;
    readonly snippet: string | null;
  }[];
}

const columns = ['questionId', 'question', 'documentId', 'title', 'snippet', 'grade'];

export interface CsvForm {
  readonly delimiter: ',' | ';';
  /** Whether it starts with a byte order mark, by which Excel knows UTF-8. */
  readonly bom: boolean;
}

/**
 * A row for each document, with an empty grade for the judge. Texts that a spreadsheet would take for formulas are
 * quoted; ids stay as they are, because the file is imported again.
 */
export async function* writePoolCsv(
  questions: AsyncIterable<PooledQuestion>,
  { delimiter, bom }: CsvForm,
): AsyncGenerator<string> {
  yield stringify([columns], { delimiter, bom });
  yield* mapStream(questions, ({ id, text, documents }) =>
    stringify(
      documents.map(({ documentId, title, snippet }) => [
        id,
        toCell(text),
        documentId,
        toCell(title),
        toCell(snippet),
        '',
      ]),
      { delimiter },
    ),
  );
}
