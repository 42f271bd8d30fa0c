import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseGradeMapping } from '../../../src/interchange/grade-mapping.ts';
import { readJudgments } from '../../../src/interchange/read-judgments.ts';
import { beirQrelsHeader, formatBeirQrelsLine } from '../../../src/ir/interchange/beir-qrels.ts';
import { csvQrelsHeader, formatCsvQrels } from '../../../src/ir/interchange/csv-qrels.ts';
import { anyGrade, beirId, plainId } from './ids.ts';
import { readAll } from './read-all.ts';

/** `question document grade`, one judgment a line. */
async function read(text: string, options: Parameters<typeof readAll>[2] = {}) {
  const { values, ...rest } = await readAll(readJudgments, text, options);
  const lines = values.map(({ questionId, documentId = '-', grade }) =>
    [questionId, documentId, grade].join(' '),
  );
  return { lines, ...rest };
}

describe('judgments', () => {
  it('come back from CSV and BEIR as they were written', async () => {
    const id = plainId.filter((one) => one.trim() !== '');
    const entry = fc.record({ questionId: id, documentId: id, grade: anyGrade });
    const tsvId = beirId.filter(
      (one) =>
        !/^[\s\u180E\u200B-\u200F\u2060\uFEFF]|[\s\u180E\u200B-\u200F\u2060\uFEFF]$/u.test(one),
    );
    const tsvEntry = fc.record({ questionId: tsvId, documentId: tsvId, grade: anyGrade });
    await fc.assert(
      fc.asyncProperty(fc.array(entry), fc.array(tsvEntry), async (csv, tsv) => {
        const csvText = [csvQrelsHeader, ...csv.map(formatCsvQrels)].join('\r\n');
        const tsvText = [beirQrelsHeader, ...tsv.map(formatBeirQrelsLine)].join('\n');

        expect((await readAll(readJudgments, csvText)).values).toEqual(csv);
        expect((await readAll(readJudgments, tsvText)).values).toEqual(tsv);
      }),
    );
  });

  it.each([
    ['TREC', 'q1 0 D1 2\nq1 0 D2 0\n'],
    ['TREC with a comment and floats', '# made by hand\nq1 0 D1 2.0\nq1 0 D2 0.\n'],
    ['CSV', 'question,document,grade\nq1,D1,2\nq1,D2,0\n'],
    ['CSV of Excel', 'sep=;\r\nquestion;document;grade\r\nq1;D1;2\r\nq1;D2;0\r\n;;\r\n'],
    ['CSV in another order', 'Rating,Doc ID,Query\n2,D1,q1\n0,D2,q1\n'],
    ['CSV of Quepid', 'query,docid,rating\n"q1",D1,2\nq1,"D2",0\n'],
    [
      'the pool',
      'questionId,question,documentId,title,snippet,grade\nq1,t,D1,x,"y\nz",2\nq1,t,D2,,,0\n',
    ],
    ['BEIR', 'query-id\tcorpus-id\tscore\nq1\tD1\t2\nq1\tD2\t0\n'],
    ['BEIR with floats', 'query-id\tcorpus-id\tscore\nq1\tD1\t2.0\nq1\tD2\t0.0\n'],
    [
      'MTEB',
      '{"query-id":"q1","corpus-id":"D1","score":2}\n{"query-id":"q1","corpus-id":"D2","score":0}\n',
    ],
    ['one line of MTEB', '{"query-id":"q1","corpus-id":"D1","score":2.0}', 'q1 D1 2'],
    [
      'ndjson with other keys',
      '{"qid":"q1","doc_id":"D1","relevance":2}\n\n{"qid":"q1","doc_id":"D2","relevance":"0"}',
    ],
    [
      'a data frame',
      '[{"query_id":"q1","document":"D1","label":2},{"query_id":"q1","document":"D2","label":0}]',
    ],
    ['ranx', '{"q1":{"D1":2,"D2":0}}'],
    [
      'Elasticsearch',
      '{"requests":[{"id":"q1","request":{},"ratings":[{"_index":"i","_id":"D1","rating":2},{"_index":"i","_id":"D2","rating":0}]}],"metric":{"dcg":{}}}',
    ],
    [
      'OpenSearch',
      '{"name":"j","type":"IMPORT_JUDGMENT","judgmentRatings":[{"query":"q1","ratings":[{"docId":"D1","rating":"2.000"},{"docId":"D2","rating":"0.000"}]}]}',
    ],
    [
      'RRE by gain',
      '{"index":"i","topics":[{"description":"t","query_groups":[{"name":"g","queries":[{"template":"t.json","placeholders":{"$query":"q1"}}],"relevant_documents":{"2":["D1"],"0":["D2"]}}]}]}',
      ['q1 D2 0', 'q1 D1 2'],
    ],
    [
      'RRE by document',
      '{"topics":[{"query_groups":[{"name":"q1","queries":[{"template":"t"}],"relevant_documents":{"D1":{"gain":2},"D2":{"gain":0}}}]}]}',
    ],
    ['LTR', '# qid:1: rambo\n2 qid:q1 # D1 Rambo\n0 qid:q1 # D2 Rambo II\n'],
    [
      'LETOR',
      '2 qid:q1 1:0.3 2:0.5 #docid = D1 inc = 1 prob = 0.2\n0 qid:q1 1:0.1 2:0.0 #docid = D2 inc = 0\n',
    ],
    [
      'Azure',
      '{"query":"q1","retrieval_ground_truth":[{"document_id":"D1","query_relevance_label":2},{"document_id":"D2","query_relevance_label":0}]}',
    ],
    ['MS MARCO in four columns', 'q1\t0\tD1\t2\nq1\t0\tD2\t0\n'],
    ['MS MARCO in three columns', 'q1\tD1\t2\nq1\tD2\t0\n'],
  ])(
    'are read as %s',
    async (_name, text, expected: string | string[] = ['q1 D1 2', 'q1 D2 0']) => {
      const { lines, issues } = await read(text);

      expect(issues).toEqual([]);
      expect(lines).toEqual([expected].flat());
    },
  );

  it.each([
    ['MS MARCO in two columns', 'q1\tD1\nq1\tD2\n'],
    [
      'LlamaIndex',
      '{"queries":{"q1":"valve stuck"},"corpus":{"D1":"a"},"relevant_docs":{"q1":["D1","D2"]},"mode":"text"}',
    ],
    [
      'Ragas',
      '{"user_input":"q1","retrieved_context_ids":["D9"],"reference_context_ids":["D1","D2"]}',
    ],
    ['a list of Ragas', '[{"user_input":"q1","reference_context_ids":["D1","D2"]}]'],
    ['CSV of two columns', 'question,document\nq1,D1\nq1,D2\n'],
  ])('without grades (%s) count with grade 1, with a warning', async (_name, text) => {
    const { lines, issues, warnings } = await read(text);

    expect(issues).toEqual([]);
    expect(lines).toEqual(['q1 D1 1', 'q1 D2 1']);
    expect(warnings).toEqual({ 'no-grade-column': 1 });
  });

  it('of one question in the form of Azure need its id', async () => {
    const text =
      '[{"document_id":"D1","query_relevance_label":4},{"document_id":"D2","query_relevance_label":0}]';
    const named = await read(text, { question: 'q1' });
    const { issues } = await read(text);

    expect(named.lines).toEqual(['q1 D1 4', 'q1 D2 0']);
    expect(issues[0]?.detail).toContain('add ?question=q06');
  });

  it.each([
    ['a short row', 'question,document,grade\nvalve,A1,3\nseal,,\npump', 2],
    ['an empty grade', 'query,docid,rating\nvalve,A1,3\nseal,B1,\npump,C1, ', 2],
    [
      'no document in ndjson',
      '{"query":"valve","doc":"A1","grade":3}\n{"query":"seal","doc":null,"grade":null}\n{"query":"pump","doc":"B","grade":""}',
      2,
    ],
    [
      'a list without documents',
      '{"requests":[{"id":"valve","ratings":[{"_id":"A1","rating":3}]},{"id":"seal","ratings":[]},{"id":"pump","ratings":[]}]}',
      2,
    ],
    ['a semicolon at the end', 'question;document;grade\r\nvalve;A1;3\r\nseal;;\r\npump;;', 2],
    ['tabs', 'question\tdocument\tgrade\nvalve\tA1\t3\nseal\t\t\npump', 2],
  ])('that have a question without a judgment name it (%s)', async (_name, text, count) => {
    const { lines, issues, warnings } = await read(text);

    expect(issues).toEqual([]);
    expect(lines).toEqual(['valve A1 3', 'seal - ', 'pump - ']);
    expect(warnings).toEqual({ 'rows-without-grade': count });
  });

  it.each([
    ['blanks', 'question,document,grade\nq1, D1,2\nq1 ,D2 ,0\n'],
    ['a no-break blank', 'question,document,grade\nq1,D1\u00A0,2\nq1,D2,0\n'],
    ['a zero-width blank', 'question;document;grade\nq1;\u200BD1;2\nq1;D2;0\n'],
    ['a byte order mark', 'query-id\tcorpus-id\tscore\n\uFEFFq1\tD1\t2\nq1\tD2\t0\n'],
    ['a thin blank in JSON', '{"q1":{"D1\u2009":2,"D2":0}}'],
    ['a word joiner', '{"qid":"q1","doc":"\u2060D1","grade":2}\n{"qid":"q1","doc":"D2","grade":0}'],
  ])('lose what no eye sees around ids (%s), with a warning', async (_name, text) => {
    const { lines, issues, warnings } = await read(text);

    expect(issues).toEqual([]);
    expect(lines).toEqual(['q1 D1 2', 'q1 D2 0']);
    expect(Object.keys(warnings)).toEqual(['trimmed-ids']);
  });

  it.each([
    ['TREC', 'q1 0 d1 0.7\nq1 0 d2 0.25\n', '0.5:1,0.8:2', ['q1 d1 1', 'q1 d2 0']],
    [
      'CSV with decimal commas',
      'question;document;grade\nq1;d1;0,8\nq1;d2;0,25\n',
      '0.8:2, 0.5:1',
      ['q1 d1 2', 'q1 d2 0'],
    ],
    [
      'BEIR',
      'query-id\tcorpus-id\tscore\nq1\td1\t0.5\nq1\td2\t-1\n',
      '0.5:1',
      ['q1 d1 1', 'q1 d2 0'],
    ],
    ['ndjson', '{"query-id":"q1","corpus-id":"d1","score":0.95}', '0.5:1,0.9:3', ['q1 d1 3']],
    ['ranx', '{"q1":{"d1":0.9999,"d2":1}}', '1:1', ['q1 d1 0', 'q1 d2 1']],
    [
      'OpenSearch',
      '{"judgmentRatings":[{"query":"q1","ratings":[{"docId":"d1","rating":"0.812"}]}]}',
      '0.5:1,0.8:2',
      ['q1 d1 2'],
    ],
    ['LTR', '0.7 qid:q1 # d1\n', '0.5:1', ['q1 d1 1']],
    [
      'words',
      'query,product,esci_label\nq1,d1,E\n'
        .replace('product', 'doc')
        .replace('esci_label', 'label') + 'q1,d2,i\n',
      'e:3,s:2,c:1,i:0',
      ['q1 d1 3', 'q1 d2 0'],
    ],
  ])(
    'with fractions or words (%s) become grades as the request says',
    async (_name, text, mapping, expected) => {
      const { lines, issues, warnings } = await read(text, { grades: parseGradeMapping(mapping) });

      expect(issues).toEqual([]);
      expect(lines).toEqual(expected);
      expect(warnings).toEqual({ 'mapped-grades': expected.length });
    },
  );

  it.each([
    ['TREC', 'q1 0 d1 0.7\n', 1, '?grades=0.5:1,0.8:2'],
    ['CSV', 'question,document,grade\nq1,d1,1\nq1,d2,1.5\n', 3, '?grades=0.5:1,0.8:2'],
    ['a word', 'question,document,grade\nq1,d1,high\n', 2, '?grades=yes:1,no:0'],
    [
      'ndjson',
      '{"query-id":"q1","corpus-id":"d1","score":1}\n{"query-id":"q1","corpus-id":"d2","score":0.7}',
      2,
      '?grades=0.5:1,0.8:2',
    ],
    ['LTR', '0.5 qid:q1 # d1\n', 1, '?grades=0.5:1,0.8:2'],
    ['a column too many', 'question,document,grade\nq1,d,1,2\n', 2, '4 columns instead of 3'],
    [
      'semicolons below commas',
      'question,document,grade\nq1;d1;1\n',
      2,
      'not separated as the header is',
    ],
    ['no document', 'question,document,grade\nq1,,1\n', 2, 'the document id is empty'],
    ['LTR without a document', '2 qid:q1 1:0.5\n', 1, "must follow '#'"],
    ['an open quotation mark', 'question,document,grade\nq1,"d1,1\n', 2, 'not closed'],
    [
      'a wrong header',
      'frage,dokument,note\nq1,d1,1\n',
      1,
      'csv, looks like this: question,document,grade',
    ],
    ['no header', 'q1,d1,1\n', 1, 'csv, looks like this: question,document,grade'],
    ['old Mac lines', 'question,document,grade\rq1,d1,1\r', 1, 'save them with line feeds'],
    ['a run of MS MARCO', 'q1\td1\t1\nq1\td2\t2\nq1\td3\t3\n', 1, 'looks like a run'],
    [
      'texts of Ragas',
      '{"user_input":"q","reference_context_ids":["d1"]}\n{"user_input":"q","reference_contexts":["a text"]}',
      2,
      'add reference_context_ids',
    ],
    [
      'other objects',
      '{"user":"u","movie":"m","stars":5}\n{"user":"u","movie":"n","stars":5}',
      1,
      'mteb, looks like this: {"query-id":"q06"',
    ],
    [
      'broken JSON in a line',
      '{"query-id":"q1","corpus-id":"d1","score":1}\n{"query-id":"q1" "d2"}',
      2,
      'column 18',
    ],
  ])('are refused with the way out: %s', async (_name, text, line, words) => {
    const { issues } = await read(text);

    expect(issues[0]?.line).toBe(line);
    expect(issues[0]?.detail).toContain(words);
  });

  it.each([
    ['a key twice', '{"q1":{"d1":3,"d1":0}}', 'a key twice in one object at line 1, column 15'],
    [
      'a question twice',
      '{\n"q1":{"d1":3},\n"q1":{"d2":0}}',
      'a key twice in one object at line 3, column 1',
    ],
    ['a list in ranx', '{"q1":["d1"]}', 'must be an object with a grade'],
    [
      'a rating without a document',
      '{"requests":[{"id":"q1","ratings":[{"rating":1}]}]}',
      'is missing',
    ],
    [
      'a run in the form of Ragas',
      '{"user_input":"q","retrieved_context_ids":["d1"]}',
      'no judgments',
    ],
  ])('are refused in JSON: %s', async (_name, text, words) => {
    const { issues } = await read(text);

    expect(issues[0]?.detail).toContain(words);
  });

  it('take a form that the request names', async () => {
    const asked = await read('q1 d1 3', { format: 'msmarco' });
    const ranks = await read('q1\td1\t1\nq1\td2\t2\nq1\td3\t3\n', { format: 'msmarco' });
    const unknown = await read('x', { format: 'lines' });

    expect(asked.lines).toEqual(['q1 d1 3']);
    expect(ranks.issues).toEqual([]);
    expect(unknown.issues[0]?.detail).toMatch(
      /'lines' is not a format of judgments; known are csv, /,
    );
  });
});
