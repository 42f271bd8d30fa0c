import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { evaluate, send } from '../helpers/client.ts';

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { readonly detail: string }[];
}

let service: TestService;
let app: FastifyInstance;
beforeAll(async () => {
  service = await startService();
  app = service.app;
});
afterAll(() => service.close());

const texts = [
  ['Wie öffne ich das Gehäuse?', 'Störung E04', 'Prüfung fällig', 'Öl läuft aus'],
  ['Größe der Dichtung', 'Schaum ist kalt', 'Gerät läßt sich nicht starten', 'Seriennummer'],
  ['Entkalken', 'Wassertank leer', 'Mahlwerk blockiert', 'Garantie'],
  ['Rückerstattung', 'Kaffee schmeckt bitter', 'Milch aufschäumen', 'Filter wechseln'],
  ['Stromausfall', 'Zähler zurücksetzen', 'Störung E07', 'Bestellung prüfen'],
].flat();
const idOf = (index: number) => `F${String(index + 1).padStart(2, '0')}`;
const table = (header: string, toRow: (id: string, text: string) => string) =>
  [header, ...texts.map((text, index) => toRow(idOf(index), text)), ''].join('\r\n');

/** The spreadsheet of twenty questions, as Excel saves it in German. */
const questions = table('id;question;kind', (id, text) => `${id};${text};Problem`);
const judgments = table('question;document;grade', (id) => `${id};Handbücher/${id}.pdf;2`);
const excel = (text: string) => Buffer.from(text, 'latin1');
const excelUtf8 = (text: string) => `\uFEFF${text}`;

const csv = 'text/csv';
const put = (url: string, payload: string | Buffer, type = csv) =>
  app.inject({ method: 'PUT', url, payload, headers: { 'content-type': type } });
const set = '/v1/question-sets/buero';
const score = (body: object = {}) => {
  const configurations = [{ name: 'heute', backend: 'run', run: 'heute' }];
  return evaluate(app, { questionSet: 'buero', configurations, measures: ['RR'], ...body });
};
const run = (toDocument: (id: string) => string) =>
  table('question;document;score', (id) => `${id};${toDocument(id)};0,9`);

describe('a spreadsheet of twenty questions', () => {
  it.each([
    ['CSV UTF-8 of Excel', '', excelUtf8(questions), excelUtf8(judgments)],
    [
      'CSV of Excel, its encoding named',
      '?encoding=windows-1252',
      excel(questions),
      excel(judgments),
    ],
  ])('becomes a first scorecard: %s', async (_form, query, asked, judged) => {
    const [saved, labelled, ranked] = [
      await put(`${set}${query}`, asked),
      await put(`${set}/qrels${query}`, judged),
      await put('/v1/runs/heute', excelUtf8(run((id) => `Handbücher/${id}.pdf`))),
    ];
    const { scorecard } = await score();

    expect([saved, labelled, ranked].map(({ statusCode }) => statusCode < 300)).toEqual([
      true,
      true,
      true,
    ]);
    expect(scorecard[0]).toMatchObject({ questions: { scored: 20 }, measures: { RR: 1 } });
  });
});

describe('mistakes of newcomers are answered with what to do', () => {
  it.each<[string, string, string | Buffer, string, string[]]>([
    [
      'Windows-1252 without saying so',
      set,
      excel(questions),
      csv,
      ['Line 2', "'ö' in Windows-1252", '?encoding=windows-1252'],
    ],
    [
      'columns with German names',
      set,
      'Nr;Frage;Art\r\nF01;Störung;Problem\r\n',
      csv,
      ['line 1', 'header', 'looks like this: id,text,kind'],
    ],
    [
      'curl without a content type',
      set,
      questions,
      'application/x-www-form-urlencoded',
      ['text/csv', "add -H 'content-type: …'"],
    ],
    [
      'curl with -d, which joins the lines',
      set,
      questions.replaceAll('\r\n', ''),
      csv,
      ['--data-binary'],
    ],
    [
      'the workbook itself',
      set,
      Buffer.from('504b0304140006000800', 'hex'),
      csv,
      ['Excel workbook', 'save the table as CSV'],
    ],
    [
      'the workbook with its type',
      set,
      'PK',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ['save the table as CSV'],
    ],
    [
      'judgments before the questions',
      '/v1/question-sets/neu/qrels',
      judgments,
      csv,
      ["'neu' does not exist", '?create=true'],
    ],
    [
      'texts of questions in place of ids',
      `${set}/qrels`,
      'question;document;grade\r\nEntkalken;H1;2\r\n',
      csv,
      ["no question 'Entkalken'", '?create=true'],
    ],
    [
      'words for grades',
      `${set}/qrels`,
      'question;document;grade\r\nF01;H1;ja\r\n',
      csv,
      ['line 2', "the grade 'ja'", '?grades=yes:1,no:0'],
    ],
    [
      'two grades for one document',
      `${set}/qrels`,
      'question;document;grade\r\nF01;H1;2\r\nF01;H1;0\r\n',
      csv,
      ['line 3', 'has two grades'],
    ],
    [
      'decimal commas between commas',
      '/v1/runs/falsch',
      'question,document,score\nF01,H1,0,9\n',
      csv,
      ['line 2', '4 columns instead of 3', 'in quotation marks'],
    ],
    ['a question without a text', set, 'id;question\r\nF01;\r\n', csv, ['line 2']],
    ['an empty table', set, 'id;question\r\n', csv, ['has no entries']],
    [
      'a list of documents without "documents"',
      '/v1/corpora/buero',
      '[{"id":"H1","title":"","text":"a"}]',
      'application/json',
      ['with "documents", for example {"documents":['],
    ],
    [
      'JSON with a comma too many',
      set,
      '{"questions":[{"id":"F01","text":"a"},]}',
      'application/json',
      ['line 1, column 39', 'comma'],
    ],
  ])('%s', async (_mistake, url, payload, type, expected) => {
    const answer = await put(url, payload, type);
    const { detail, errors = [] } = answer.json<Problem>();
    const told = [detail, ...errors.map((error) => error.detail)].join(' ');

    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    for (const part of expected) expect(told).toContain(part);
  });

  it.each<[string, object, string[]]>([
    [
      'a misspelt question set',
      { questionSet: 'bureau' },
      ["'bureau' does not exist", 'GET /v1/question-sets'],
    ],
    [
      'the name of a run for a configuration',
      { configurations: ['heute'] },
      ['a run of that name does', '{"name":"heute","backend":"run","run":"heute"}'],
    ],
    ['a name that nothing has', { configurations: ['gestern'] }, ['GET /v1/search-configurations']],
    ['a measure without @', { measures: ['ndcg10'] }, ['did you mean nDCG@10?']],
    ['a measure that is not there', { measures: ['accuracy'] }, ['did you mean hit@10?']],
  ])('%s', async (_mistake, more, expected) => {
    await put(`${set}?encoding=windows-1252`, excel(questions));
    await put(
      '/v1/runs/heute',
      run((id) => id),
    );
    const configurations = [{ name: 'heute', backend: 'run', run: 'heute' }];
    const body = { questionSet: 'buero', configurations, ...more };
    const answer = await send(app, 'POST', '/v1/eval', { body });
    const { detail, errors = [] } = answer.json<Problem>();
    const told = [detail, ...errors.map((error) => error.detail)].join(' ');

    expect([400, 404]).toContain(answer.statusCode);
    for (const part of expected) expect(told).toContain(part);
  });
});

describe('mistakes of newcomers in what can be scored are named first', () => {
  it.each([
    [
      'other ids of documents',
      run((id) => `${id}.PDF`),
      'no-judged-document-returned',
      "'F01.PDF' for 'Handbücher/F01.pdf'",
    ],
    [
      'other ids of questions',
      run((id) => `Handbücher/${id}.pdf`).replaceAll(/\nF/g, '\nf'),
      'questions-not-in-run',
      "'f01' for 'F01'",
    ],
    [
      'the place in the list for a score',
      table('question;document;score', (id) => `${id};x;1\r\n${id};Handbücher/${id}.pdf;2`),
      'rising-scores',
      'in 20 of 20 questions',
    ],
  ])('%s', async (_mistake, text, code, sample) => {
    await put(`${set}?encoding=windows-1252`, excel(questions));
    await put(`${set}/qrels?encoding=windows-1252`, excel(judgments));
    await put('/v1/runs/heute', excelUtf8(text));
    const { scorecard } = await score();

    expect(scorecard[0]?.warnings[0]).toMatchObject({
      code,
      severity: 'error',
      message: expect.stringContaining(sample),
    });
  });
});
