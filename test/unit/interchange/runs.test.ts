import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readRun } from '../../../src/interchange/read-run.ts';
import { csvRunHeader, formatCsvHit } from '../../../src/ir/interchange/csv-run.ts';
import { anyScore, plainId } from './ids.ts';
import { readAll } from './read-all.ts';

async function read(text: string, options = {}) {
  const { values, ...rest } = await readAll(readRun, text, options);
  const lines = values.map(({ questionId, documentId = '-', score }) =>
    [questionId, documentId, score].join(' '),
  );
  return { lines, ...rest };
}

describe('a run', () => {
  it('comes back from CSV as it was written', async () => {
    const id = plainId.filter((one) => one.trim() !== '');
    const entry = fc.record({ questionId: id, documentId: id, score: anyScore });
    await fc.assert(
      fc.asyncProperty(fc.array(entry), async (hits) => {
        const text = [csvRunHeader, ...hits.map(formatCsvHit)].join('\n');

        expect((await readAll(readRun, text)).values).toEqual(hits);
      }),
    );
  });

  it.each([
    ['TREC', 'q1 Q0 D1 1 2.5 t\nq1 Q0 D2 2 1 t\n'],
    ['CSV', 'question,document,score\nq1,D1,2.5\nq1,D2,1\n'],
    ['CSV with decimal commas', 'question;document;score\r\nq1;D1;2,5\r\nq1;D2;1\r\n'],
    ['TSV', 'query-id\tcorpus-id\tscore\nq1\tD1\t2.5\nq1\tD2\t1\n'],
    [
      'ndjson',
      '{"query-id":"q1","corpus-id":"D1","score":2.5}\n{"query-id":"q1","corpus-id":"D2","score":1}',
    ],
    ['ranx', '{"q1":{"D1":2.5,"D2":1}}'],
    [
      'the form of the service',
      '{"rankings":{"q1":[{"documentId":"D1","score":2.5},{"documentId":"D2","score":1}]}}',
    ],
    [
      'Azure',
      '{"query":"q1","retrieved_documents":[{"document_id":"D1","relevance_score":2.5},{"document_id":"D2","relevance_score":1}]}',
    ],
  ])('is read as %s', async (_name, text) => {
    const { lines, issues } = await read(text);

    expect(issues).toEqual([]);
    expect(lines).toEqual(['q1 D1 2.5', 'q1 D2 1']);
  });

  it.each([
    [
      'Ragas',
      '{"user_input":"q1","retrieved_context_ids":["D1","D2"],"reference_context_ids":["D1"]}',
      ['q1 D1 ', 'q1 D2 '],
    ],
    ['lists of ids', '{"q1":["D1","D2"]}', ['q1 D1 ', 'q1 D2 ']],
    [
      'lists of ids below rankings',
      '{"rankings":{"q1":["D1","D2"],"q2":[]}}',
      ['q1 D1 ', 'q1 D2 ', 'q2 - '],
    ],
    ['CSV of ranks', 'question,document,rank\nq1,D1,1\nq1,D2,4\n', ['q1 D1 1', 'q1 D2 0.25']],
    ['MS MARCO', 'q1\tD1\t1\nq1\tD2\t4\n', ['q1 D1 1', 'q1 D2 0.25']],
    ['rankings of a question called rankings', '{"rankings":{"d":1}}', ['rankings d 1']],
  ])('without scores is read in order, as %s', async (_name, text, expected) => {
    const { lines, issues } = await read(text);

    expect(issues).toEqual([]);
    expect(lines).toEqual(expected);
  });

  it('loses blanks around ids, with a warning', async () => {
    const { lines, warnings } = await read('question,document,score\nq1,\u00A0D1 ,1\n');

    expect(lines).toEqual(['q1 D1 1']);
    expect(warnings).toEqual({ 'trimmed-ids': 1 });
  });

  it.each([
    ['a rank of 0', 'question,document,rank\nq1,D1,0\n', "the rank '0' is not a whole number"],
    ['a rank of 1.0', 'question,document,rank\nq1,D1,1.0\n', "the rank '1.0' is not"],
    [
      'a score that is no number',
      'question,document,score\nq1,D1,NaN\n',
      "the score 'NaN' is not a finite number",
    ],
    ['no score', 'question,document,score\nq1,D1,\n', "the score '' is not a finite number"],
    ['an infinite score', 'question,document,score\nq1,D1,1e999\n', 'is not a finite number'],
    [
      'judgments',
      'question,document,grade\nq1,D1,1\n',
      'csv, looks like this: question,document,score',
    ],
    [
      'judgments of Ragas',
      '{"user_input":"q","reference_context_ids":["d1"]}',
      'has judgments, but not what a search returned',
    ],
    ['a document twice', '{"q1":["D1","D1"]}', "Duplicate document 'D1'"],
    [
      'scores for some',
      '{"rankings":{"q1":[{"documentId":"a","score":1},{"documentId":"b"}]}}',
      'has a score or none has',
    ],
    [
      'another field',
      '{"rankings":{"q1":[{"documentId":"a","rank":1}]}}',
      "'rank' is not a known field",
    ],
    ['nothing', '{}', 'has no rankings'],
  ])('is refused with %s', async (_name, text, words) => {
    const { issues } = await read(text);

    expect(issues[0]?.detail).toContain(words);
  });
});
