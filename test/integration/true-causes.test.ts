import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';

interface WarningAnswer {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly questions: number;
  readonly ranges?: Readonly<Record<string, { low: number; high: number }>>;
}

let service: TestService;
let app: FastifyInstance;
beforeAll(async () => {
  service = await startService();
  app = service.app;
});
afterAll(() => service.close());

const trec = 'text/plain';
const typeOf = (text: string) =>
  text.startsWith('{') ? 'application/json' : text.startsWith('question,') ? 'text/csv' : trec;
let made = 0;

async function putText(url: string, payload: string): Promise<void> {
  const headers = { 'content-type': typeOf(payload) };
  const answer = await app.inject({ method: 'PUT', url, headers, payload });
  expect(answer.statusCode).toBe(201);
}

/** A question set of qrels and a run, each in the form that its first character shows, and their evaluation. */
async function score(
  qrels: string,
  run: string,
  more: object = {},
): Promise<{ readonly name: string; readonly evaluation: EvaluationAnswer }> {
  made += 1;
  const name = `s${made}`;
  await putText(`/v1/question-sets/${name}/qrels?create=true`, qrels);
  await putText(`/v1/runs/${name}`, run);
  return { name, evaluation: await evaluateRun(name, name, more) };
}

function evaluateRun(set: string, run: string, more: object = {}): Promise<EvaluationAnswer> {
  const configurations = [{ name: 'search', backend: 'run', run }];
  return evaluate(app, { questionSet: set, configurations, measures: ['RR'], ...more });
}

const warningsOf = ({ scorecard }: EvaluationAnswer) =>
  (scorecard[0]?.warnings ?? []) as readonly WarningAnswer[];
const rrOf = ({ scorecard }: EvaluationAnswer) => scorecard[0]?.measures['RR'];
const errorsOf = (evaluation: EvaluationAnswer) =>
  warningsOf(evaluation).filter(({ severity }) => severity === 'error');

/** Ten questions, each with one judged document, and a run with one document each. */
const ten = Array.from({ length: 10 }, (_each, index) => index + 1);
const toQrels = (toId: (n: number) => string) => ten.map((n) => `q${n} 0 ${toId(n)} 1`).join('\n');
const toRun = (toId: (n: number) => string, toQuestion = (n: number) => `q${n}`) =>
  ten.map((n) => `${toQuestion(n)} Q0 ${toId(n)} 1 9.5 t`).join('\n');
const toJsonQrels = (toId: (n: number) => string) =>
  JSON.stringify(Object.fromEntries(ten.map((n) => [`q${n}`, { [toId(n)]: 1 }])));
const toJsonRun = (toId: (n: number) => string) =>
  JSON.stringify({
    rankings: Object.fromEntries(ten.map((n) => [`q${n}`, [{ documentId: toId(n) }]])),
  });

describe('ids that never match', () => {
  it.each<[string, (n: number) => string, (n: number) => string, string]>([
    ['a whole number written 1.0', (n) => `${n}`, (n) => `${n}.0`, "'1.0' for '1'"],
    ['leading zeros', (n) => `${n}`, (n) => `00${n}`, "'001' for '1'"],
    ['case', (n) => `Doc${n}`, (n) => `DOC${n}`, "'DOC1' for 'Doc1'"],
    ['German sharp s', (n) => `maß${n}`, (n) => `MASS${n}`, "'MASS1' for 'maß1'"],
    ['a no-break blank', (n) => `K ${n}`, (n) => `K\u{A0}${n}`, "'K\\u{00A0}1' for 'K 1'"],
    ['a zero-width space', (n) => `Ka${n}`, (n) => `K\u{200B}a${n}`, "'K\\u{200B}a1' for 'Ka1'"],
    ['a byte order mark', (n) => `Ka${n}`, (n) => `K\u{FEFF}a${n}`, "'K\\u{FEFF}a1' for 'Ka1'"],
    ['a soft hyphen', (n) => `Kabel${n}`, (n) => `Ka\u{AD}bel${n}`, "for 'Kabel1'"],
    [
      'fullwidth digits',
      (n) => `A${n}`,
      (n) => `A${String(n).replaceAll(/\d/g, (d) => String.fromCodePoint(0xff10 + Number(d)))}`,
      "for 'A1'",
    ],
    [
      'percent-encoding',
      (n) => `hub motor ${n}`,
      (n) => `hub%20motor%20${n}`,
      "'hub%20motor%201' for 'hub motor 1'",
    ],
    ['percent-encoding twice', (n) => `a/ü${n}`, (n) => `a%252F%25C3%25BC${n}`, "for 'a/ü1'"],
    ['a dash of a word processor', (n) => `K-${n}`, (n) => `K–${n}`, "'K–1' for 'K-1'"],
    ['an extension', (n) => `manual${n}`, (n) => `manual${n}.pdf`, "'manual1.pdf' for 'manual1'"],
    [
      'another extension on the side of the labels',
      (n) => `manual${n}.docx`,
      (n) => `manual${n}`,
      "'manual1' for 'manual1.docx'",
    ],
    ['a path', (n) => `m${n}.pdf`, (n) => `/data/in/m${n}.pdf`, "'/data/in/m1.pdf' for 'm1.pdf'"],
    ['a Windows path', (n) => `m${n}.pdf`, (n) => `C:\\in\\m${n}.pdf`, "for 'm1.pdf'"],
    [
      'another folder',
      (n) => `old/m${n}.pdf`,
      (n) => `new/m${n}.pdf`,
      "'new/m1.pdf' for 'old/m1.pdf'",
    ],
    [
      'an address',
      (n) => `m${n}.html`,
      (n) => `https://host/help/M${n}.html?v=2#top`,
      "for 'm1.html'",
    ],
    ['chunks', (n) => `${n}`, (n) => `${n}-chunk-0`, "'1-chunk-0' for '1'"],
    ['chunks with a hash', (n) => `D${n}`, (n) => `D${n}#3`, "'D1#3' for 'D1'"],
  ])('names both sides: %s', async (_case, judged, found, sample) => {
    const { evaluation } = await score(toJsonQrels(judged), toJsonRun(found));

    expect(rrOf(evaluation)).toBe(0);
    expect(warningsOf(evaluation)[0]).toMatchObject({
      code: 'no-judged-document-returned',
      severity: 'error',
      questions: 10,
      message: expect.stringContaining(sample),
    });
    expect(warningsOf(evaluation).map(({ code }) => code)).not.toContain('low-judged');
  });

  it('shows samples of both sides where the ids have nothing in common', async () => {
    const { evaluation } = await score(
      toQrels((n) => `a${n}`),
      toRun((n) => `uuid-${n * 7}`),
    );
    const [first] = errorsOf(evaluation);

    expect(first?.message).toContain("'q1' returned 'uuid-7', judged 'a1'");
    expect(first?.message).toContain('Probably the search returns other ids');
  });

  it('says nothing where one question meets its label, and warns of near misses beside it', async () => {
    const { evaluation } = await score(
      toQrels((n) => `D${n}`),
      toRun((n) => (n === 1 ? 'D1' : `d${n}`)),
    );

    expect(errorsOf(evaluation)).toEqual([]);
    expect(warningsOf(evaluation)[0]).toMatchObject({
      code: 'near-miss-ids',
      severity: 'warning',
      questions: 9,
    });
  });

  it('does not blame the ids where the corpus has the judged documents', async () => {
    const documents = [
      { id: 'P1', title: 'Pump', paragraphs: ['oil'] },
      { id: 'P2', title: 'Fan', paragraphs: ['air'] },
    ];
    await ask(app, 'PUT', '/v1/corpora/known', { body: { documents } });
    const questions = [{ id: 'q1', text: 'oil', relevant: { P2: 1 } }];
    await ask(app, 'PUT', '/v1/question-sets/known', { body: { questions } });
    const configurations = [{ name: 'a', backend: 'local', corpus: 'known', method: 'bm25' }];
    const found = await evaluate(app, { questionSet: 'known', configurations, measures: ['RR'] });

    expect(rrOf(found)).toBe(0);
    expect(errorsOf(found)).toEqual([]);
  });
});

describe('questions that do not match', () => {
  const qrels = toQrels((n) => `${n}`);

  it.each<[string, (n: number) => string, string]>([
    ['case', (n) => `Q${n}`, "'Q1' for 'q1'"],
    ['a path', (n) => `topics/q${n}`, "'topics/q1' for 'q1'"],
    ['an extension', (n) => `q${n}.txt`, "'q1.txt' for 'q1'"],
    ['percent-encoding', (n) => `%71${n}`, "'%711' for 'q1'"],
    ['quotation marks', (n) => `"q${n}"`, `'"q1"' for 'q1'`],
    ['other names', (n) => `topic-${n}`, "'q1', 'q2'"],
  ])('counts and names those of both sides: %s', async (_case, toQuestion, sample) => {
    const { evaluation } = await score(
      qrels,
      toRun((n) => `${n}`, toQuestion),
    );
    const [first, second] = warningsOf(evaluation);

    expect(first).toMatchObject({
      code: 'questions-not-in-run',
      severity: 'error',
      questions: 10,
      message: expect.stringContaining('10 of 10 questions'),
    });
    expect(first?.message).toContain(sample);
    expect(second).toMatchObject({ code: 'questions-not-in-set', questions: 10 });
    expect(warningsOf(evaluation)).toHaveLength(2);
  });

  it('tells a question that the run lacks from an empty answer', async () => {
    await ask(app, 'PUT', '/v1/question-sets/partly', {
      body: { questions: ['a', 'b', 'c'].map((id) => ({ id, text: id, relevant: { D1: 1 } })) },
    });
    const rankings = { a: [{ documentId: 'D1' }], b: [], z: [{ documentId: 'D1' }] };
    await ask(app, 'PUT', '/v1/runs/partly', { body: { rankings } });
    const evaluation = await evaluateRun('partly', 'partly');

    expect(evaluation.scorecard[0]?.questions.empty).toBe(2);
    expect(warningsOf(evaluation)).toMatchObject([
      { code: 'questions-not-in-run', severity: 'warning', questions: 1 },
      { code: 'questions-not-in-set', severity: 'warning', questions: 1 },
    ]);
    expect(warningsOf(evaluation)[0]?.message).toContain("'c'");
    expect(warningsOf(evaluation)[1]?.message).toContain("'z'");
  });

  it('does not count questions that the evaluation did not select as lacking in the set', async () => {
    await ask(app, 'PUT', '/v1/question-sets/split', {
      body: {
        questions: [
          { id: 'a', text: 'a', split: 'tuning', relevant: { D1: 1 } },
          { id: 'b', text: 'b', split: 'held-out', relevant: { D1: 1 } },
        ],
      },
    });
    const rankings = { a: [{ documentId: 'D1' }], b: [{ documentId: 'D1' }] };
    await ask(app, 'PUT', '/v1/runs/split', { body: { rankings } });

    expect(warningsOf(await evaluateRun('split', 'split', { split: 'held-out' }))).toEqual([]);
  });
});

describe('scores that do not order', () => {
  const five = ['a', 'b', 'c', 'd', 'e'];
  const qrels = JSON.stringify(Object.fromEntries(five.map((id) => [id, { yes: 1 }])));
  const ownRun = (scores: readonly number[]) =>
    JSON.stringify({
      rankings: Object.fromEntries(
        five.map((id) => [
          id,
          ['yes', 'no', 'nix'].map((documentId, index) => ({ documentId, score: scores[index] })),
        ]),
      ),
    });
  const trecRun = (ranks: readonly number[], scores: readonly number[]) =>
    five
      .flatMap((id) =>
        ['yes', 'no', 'nix'].map((d, index) => `${id} Q0 ${d} ${ranks[index]} ${scores[index]} t`),
      )
      .join('\n');

  it.each([
    ['distances in JSON', ownRun([0.12, 0.47, 0.91]), 'as it was sent'],
    ['negative similarities turned over', ownRun([-3, -2, -1]), 'as it was sent'],
    ['distances with ranks in TREC', trecRun([1, 2, 3], [0.1, 0.2, 0.3]), 'by the rank column'],
    ['ranks from 0', trecRun([0, 1, 2], [5, 6, 7]), 'by the rank column'],
    ['ranks without order of the lines', trecRun([1, 3, 2], [1, 3, 2]), 'by the rank column'],
    [
      'distances without ranks in CSV',
      `question,document,score\n${five.flatMap((id) => [`${id},yes,0.1`, `${id},no,0.4`, `${id},nix,0.8`]).join('\n')}`,
      'as it was sent',
    ],
  ])('says that they rise: %s', async (_case, run, order) => {
    const { name, evaluation } = await score(qrels, run);

    expect(rrOf(evaluation)).toBeCloseTo(1 / 3);
    expect(errorsOf(evaluation)).toMatchObject([
      { code: 'rising-scores', questions: 5, message: expect.stringContaining('5 of 5 questions') },
    ]);
    expect(errorsOf(evaluation)[0]?.message).toContain(order);
    const again = await app.inject({
      method: 'PUT',
      url: `/v1/runs/${name}`,
      headers: { 'content-type': typeOf(run) },
      payload: run,
    });
    expect(again.json()).toMatchObject({ warnings: [{ code: 'rising-scores' }] });
  });

  it('says nothing of scores that fall by rank, whatever the order of the lines', async () => {
    const { evaluation } = await score(qrels, trecRun([3, 2, 1], [0.1, 0.2, 0.3]));

    expect(warningsOf(evaluation)).toEqual([]);
  });

  it('says that two documents have one rank', async () => {
    const { evaluation } = await score(qrels, trecRun([1, 1, 2], [3, 2, 1]));

    expect(warningsOf(evaluation)).toContainEqual(
      expect.objectContaining({ code: 'repeated-ranks', questions: 5 }),
    );
  });

  // By hand: of three equal scores the one relevant document may stand first, second or third.
  it.each([
    ['all 0', [0, 0, 0], { low: 1 / 3, high: 1 }],
    ['all the same', [7, 7, 7], { low: 1 / 3, high: 1 }],
    ['rounded to one at the top', [1, 1, 0], { low: 1 / 2, high: 1 }],
    ['capped', [99, 99, 98.5], { low: 1 / 2, high: 1 }],
    ['equal below zero', [-1, -1, -1], { low: 1 / 3, high: 1 }],
    ['equal at the top of three', [0.5, 0.5, 0.25], { low: 1 / 2, high: 1 }],
  ])('gives the range that equal scores leave: %s', async (_case, scores, range) => {
    const { evaluation } = await score(qrels, trecRun([1, 2, 3], scores));

    const [first] = warningsOf(evaluation);
    expect(first).toMatchObject({ code: 'tied-scores', severity: 'warning', questions: 5 });
    expect(first?.ranges?.['RR']?.low).toBeCloseTo(range.low);
    expect(first?.ranges?.['RR']?.high).toBeCloseTo(range.high);
    expect(first?.message).toContain(`RR from ${range.low.toFixed(4)} to 1.0000`);
  });

  it('says nothing of equal scores that decide no measure', async () => {
    const { evaluation } = await score(qrels, trecRun([1, 2, 3], [2, 1, 1]));

    expect(warningsOf(evaluation).map(({ code }) => code)).not.toContain('tied-scores');
  });
});

const corpus = (lexicon?: object) => ({
  documents: [
    { id: 'P1', title: 'Pump', paragraphs: ['oil below'], metadata: { plant: ['north'] } },
    { id: 'P2', title: 'Fan', paragraphs: ['air flow'], metadata: { plant: ['south'] } },
  ],
  ...(lexicon && { lexicon }),
});
const search = (more: object, measures = ['P@1']) => {
  const configurations = [
    { name: 'a', backend: 'local', corpus: 'words', method: 'bm25', ...more },
  ];
  return evaluate(app, { questionSet: 'oil', configurations, measures });
};
const condition = (key: string, value: string, more: object = {}) => ({
  filters: [{ id: 'f', documentMetadata: [{ key, value: [value], ...more }] }],
});

const codes = async (more: object) =>
  warningsOf(await search(more)).map(({ code, severity }) => `${severity} ${code}`);

describe('what the searched data lack', () => {
  const concepts = { concepts: { oil: ['oil', 'grease'] } };
  beforeAll(async () => {
    await ask(app, 'PUT', '/v1/corpora/plain', { body: corpus() });
    await ask(app, 'PUT', '/v1/corpora/words', { body: corpus({ stopwords: [], ...concepts }) });
    const questions = [
      { id: 'q1', text: 'oil', relevant: { P1: 1 } },
      { id: 'q2', text: 'oil', relevant: { P1: 1, P2: 0 } },
    ];
    await ask(app, 'PUT', '/v1/question-sets/oil', { body: { questions } });
  });
  it.each([
    ['vector without a lexicon', { corpus: 'plain', method: 'vector' }, ['error no-lexicon']],
    ['hybrid without a lexicon', { corpus: 'plain', method: 'hybrid' }, ['warning no-lexicon']],
    ['rerank without a lexicon', { corpus: 'plain', method: 'rerank' }, ['warning no-lexicon']],
    ['bm25 without a lexicon', { corpus: 'plain' }, []],
    ['vector with a lexicon', { method: 'vector' }, []],
    ['a value that no document has', condition('plant', 'west'), ['error filter-passes-nothing']],
    ['the same value in capitals', condition('plant', 'NORTH'), ['error filter-passes-nothing']],
    ['a key in capitals', condition('Plant', 'north'), ['error filter-passes-nothing']],
    [
      'a misspelt key that is ignored',
      condition('plnt', 'north', { selectMode: ['ignoreIfKeyAbsent'] }),
      ['warning unknown-filter-key'],
    ],
    [
      'a key of chunks for one of documents',
      { filters: [{ chunkMetadata: [{ key: 'plant', value: ['north'] }] }] },
      ['error filter-passes-nothing'],
    ],
    [
      'an unknown key in one branch of a tree',
      {
        filters: [
          {
            filter: {
              operator: 'or',
              left: { scope: 'document', key: 'plant', value: ['north'] },
              right: { scope: 'document', key: 'site', value: ['n'] },
            },
          },
        ],
      },
      ['warning unknown-filter-key'],
    ],
    [
      'one of two filters',
      {
        filters: [
          ...condition('plant', 'north').filters,
          { id: 'g', documentMetadata: [{ key: 'plant', value: ['west'] }] },
        ],
      },
      ['warning filter-passes-nothing'],
    ],
    ['a filter that passes something', condition('plant', 'north'), []],
  ])('is named first and alone: %s', async (_case, more, expected) => {
    expect(await codes(more)).toEqual(expected);
  });

  it('names the keys that there are', async () => {
    const [, ...rest] = warningsOf(
      await search(condition('plnt', 'x', { selectMode: ['ignoreIfKeyAbsent'] })),
    );

    expect(rest).toEqual([]);
    const [first] = warningsOf(
      await search(condition('plnt', 'x', { selectMode: ['ignoreIfKeyAbsent'] })),
    );
    expect(first?.message).toContain('plnt; the keys are plant');
  });

  it('is silent about short rankings where the corpus is smaller than the cut-off', async () => {
    const small = await search({}, ['P@10']);
    const found = warningsOf(small).find(({ code }) => code === 'short-ranking');

    expect(found?.message).toContain('fewer than 2 documents');
  });
});

describe('other things that the numbers do not tell', () => {
  it('says that nothing was returned, and not also that rankings are short', async () => {
    const qrels = toJsonQrels((n) => `D${n}`);
    const rankings = Object.fromEntries(ten.map((n) => [`q${n}`, []]));
    const { evaluation } = await score(qrels, JSON.stringify({ rankings }), { measures: ['P@5'] });

    expect(warningsOf(evaluation)).toMatchObject([
      { code: 'nothing-returned', severity: 'error', questions: 10 },
    ]);
  });

  it('says that a perfect mean is rare', async () => {
    const { evaluation } = await score(
      toQrels((n) => `D${n}`),
      toRun((n) => `D${n}`),
    );

    expect(warningsOf(evaluation)).toMatchObject([
      { code: 'perfect-mean', severity: 'note', questions: 10 },
    ]);
  });

  it('speaks of unjudged documents among those that came back only', async () => {
    await ask(app, 'PUT', '/v1/question-sets/few', {
      body: { questions: ['a', 'b', 'c'].map((id) => ({ id, text: id, relevant: { D1: 1 } })) },
    });
    const rankings = { a: [{ documentId: 'D1' }], b: [], c: [] };
    await ask(app, 'PUT', '/v1/runs/few', { body: { rankings } });
    const evaluation = await evaluateRun('few', 'few', { measures: ['P@1'] });

    // judged@1 is 1/3, but the one document that was returned is judged.
    expect(evaluation.scorecard[0]?.measures['judged@1']).toBeCloseTo(1 / 3);
    expect(warningsOf(evaluation).map(({ code }) => code)).toEqual(['short-ranking']);
  });

  it('says that a history was not read', async () => {
    const documents = [
      { id: 'P1', title: 'Grinder', paragraphs: ['The grinder is in hall four.'] },
      { id: 'P2', title: 'Canteen', paragraphs: ['Find the canteen in hall one.'] },
    ];
    const history = [{ role: 'user', text: 'what is a grinder' }];
    const questions = [{ id: '1', text: 'where do I find it', history, relevant: { P1: 1 } }];
    await ask(app, 'PUT', '/v1/corpora/halls', { body: { documents } });
    await ask(app, 'PUT', '/v1/question-sets/halls', { body: { questions } });
    const configurations = [{ name: 'a', backend: 'local', corpus: 'halls', method: 'bm25' }];
    const found = await evaluate(app, { questionSet: 'halls', configurations, measures: ['RR'] });

    expect(warningsOf(found)).toContainEqual(
      expect.objectContaining({ code: 'unused-history', severity: 'warning', questions: 1 }),
    );
  });

  it('orders warnings by severity in every report', async () => {
    const { evaluation } = await score(
      toQrels((n) => `${n}`),
      toRun((n) => `${n}.0`),
      { measures: ['RR', 'P@5'] },
    );
    const report = async (format: string) =>
      (await app.inject(`/v1/eval/${evaluation.id}/report?format=${format}`)).body;
    const severities = warningsOf(evaluation).map(({ severity }) => severity);

    expect(severities).toEqual(['error', 'error', 'warning']);
    const markdown = await report('markdown');
    expect(markdown.indexOf('## Warnings')).toBeLessThan(markdown.indexOf('## Scorecard'));
    expect(markdown.indexOf('no-judged-document-returned')).toBeLessThan(
      markdown.indexOf('short-ranking'),
    );
    expect(await report('html')).toContain('<strong>error</strong> of search');
    expect(await report('junit')).toContain(
      '<testcase name="no-judged-document-returned" classname="search">',
    );
    expect((await report('csv')).split('\n')[0]).toMatch(/,errors$/);
  });
});

describe('changed ids', () => {
  const measures = ['RR'];
  let set: string;
  beforeAll(async () => {
    const { name, evaluation } = await score(
      toQrels((n) => `${n}`),
      toRun((n) => `${n}`),
    );
    set = name;
    const body = { evaluation: evaluation.id, configuration: 'search' };
    await ask(app, 'PUT', '/v1/baselines/good', { body });
  });
  const night = async (run: string, more: object = {}) => {
    made += 1;
    const name = `night${made}`;
    await send(app, 'PUT', `/v1/runs/${name}`, { body: run, type: trec });
    return evaluateRun(set, name, { measures, ...more });
  };
  const gate = { baseline: 'good', measure: 'RR', maxDrop: 0.05 };
  const changed: [string, string][] = [
    ['chunks instead of documents', toRun((n) => `${n}-chunk-0`)],
    [
      'other question ids',
      toRun(
        (n) => `${n}`,
        (n) => `Q${n}`,
      ),
    ],
    ['whole numbers written 1.0', toRun((n) => `${n}.0`)],
    ['new ids after indexing again', toRun((n) => `uuid-${n * 31}`)],
    ['a prefix', toRun((n) => `prod/${n}`)],
    [
      'a file of other questions',
      toRun(
        (n) => `${n}`,
        (n) => `other-${n}`,
      ),
    ],
  ];

  it.each(changed)('are no regression under a gate: %s', async (_case, run) => {
    const found = (await night(run, { gate })) as EvaluationAnswer & {
      gate: { verdict: string; detail: string; configurations: readonly object[] };
    };

    expect(found.gate.verdict).toBe('inconclusive');
    expect(found.gate.configurations).toMatchObject([
      { obstacles: [{ code: 'no-judged-document-returned' }], checks: [] },
    ]);
    expect(found.gate.detail).toContain('no returned document is judged');
  });

  it('make nights invalid, which are no evidence of drift', async () => {
    for (const [, run] of changed) await night(run);
    const { series } = await ask<{
      series: readonly {
        drift: { verdict: string; validNights: number; evidence: number };
        nights: readonly { status: string; faults: readonly { code: string }[] }[];
      }[];
    }>(app, 'GET', '/v1/trends?baseline=good&measure=RR&maxDrop=0.02');

    expect(series[0]?.drift).toMatchObject({
      verdict: 'inconclusive',
      validNights: 0,
      evidence: 1,
    });
    expect(new Set(series[0]?.nights.map(({ status }) => status))).toEqual(new Set(['invalid']));
    expect(
      new Set(series[0]?.nights.flatMap(({ faults }) => faults.map(({ code }) => code))),
    ).toEqual(new Set(['no-judged-document-returned']));
  });

  it('cannot become a baseline, whose every measure is 0', async () => {
    const zeros = await night(changed[0]?.[1] ?? '');
    const body = { evaluation: zeros.id, configuration: 'search' };
    const answer = await send(app, 'PUT', '/v1/baselines/zeros', { body });

    expect(answer.statusCode).toBe(409);
    expect(answer.json<{ detail: string }>().detail).toContain(
      "Every measure of configuration 'search' is 0",
    );
    expect(answer.json<{ detail: string }>().detail).toContain("'1-chunk-0' for '1'");
  });

  it('are said in a comparison, first', async () => {
    const [good, bad] = [await night(toRun((n) => `${n}`)), await night(toRun((n) => `x${n}`))];
    const found = await ask<{ warnings: readonly WarningAnswer[] }>(app, 'POST', '/v1/compare', {
      body: {
        baseline: { evaluation: good.id, configuration: 'search' },
        candidate: { evaluation: bad.id, configuration: 'search' },
        measure: 'RR',
      },
    });

    expect(found.warnings[0]).toMatchObject({
      code: 'no-judged-document-returned',
      severity: 'error',
      side: 'candidate',
    });
  });
});

describe('questions of which nothing is relevant', () => {
  // By hand: q1 has its document first, q2 can only score 0.
  it('count as 0 unless the means are over answerable ones', async () => {
    const { name, evaluation } = await score(
      'q1 0 d1 1\nq2 0 d2 0',
      'q1 Q0 d1 1 1 t\nq2 Q0 d2 1 1 t',
    );
    const answerable = await evaluateRun(name, name, { average: 'answerable' });

    expect(rrOf(evaluation)).toBe(0.5);
    expect(warningsOf(evaluation)).toMatchObject([{ code: 'no-relevant-document', questions: 1 }]);
    expect(rrOf(answerable)).toBe(1);
  });
});
