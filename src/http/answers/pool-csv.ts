import { stringify } from 'csv-stringify/sync';

import { mapStream } from './streams.ts';

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

/** A row for each document, with an empty grade for the judge. Formulas are quoted for spreadsheets. */
export async function* writePoolCsv(
  questions: AsyncIterable<PooledQuestion>,
): AsyncGenerator<string> {
  yield stringify([columns]);
  yield* mapStream(questions, ({ id, text, documents }) =>
    stringify(
      documents.map(({ documentId, title, snippet }) => [id, text, documentId, title, snippet, '']),
      { escape_formulas: true },
    ),
  );
}
