import { describe, expect, it } from 'vitest';

import { readQuestions } from '../../../src/interchange/read-questions.ts';
import { readAll } from './read-all.ts';

const read = (text: string, options = {}) => readAll(readQuestions, text, options);

const valve = { id: 'q1', text: 'How do I free a stuck valve?', kind: 'howto' };

describe('questions', () => {
  it.each([
    ['CSV', 'id,text,kind\nq1,How do I free a stuck valve?,howto\n'],
    ['CSV of Excel', 'sep=;\r\nid;text;kind\r\nq1;How do I free a stuck valve?;howto\r\n'],
    [
      'semicolons with quotation marks',
      '"id";"text";"kind"\r\n"q1";"How do I free a stuck valve?";"howto"',
    ],
    ['TSV', 'Query ID\tQuery\tKind\nq1\tHow do I free a stuck valve?\thowto\n'],
    ['another order', 'kind,question,qid\nhowto,How do I free a stuck valve?,q1\n'],
    [
      'the same row twice',
      'id,text,kind\nq1,How do I free a stuck valve?,howto\nq1,How do I free a stuck valve?,howto\n',
    ],
    ['empty rows', 'id,text,kind\n,,\nq1,How do I free a stuck valve?,howto\n,,\n\n'],
  ])('are read as %s', async (_name, text) => {
    const { values, issues } = await read(text);

    expect(issues).toEqual([]);
    expect(values).toEqual([{ fields: valve, isUnlabelled: true }]);
  });

  it('keep line breaks, commas and quotation marks that are quoted', async () => {
    const { values } = await read('id,text\nq1,"Free a ""stuck"" valve,\nplease"\n');

    expect(values[0]?.fields).toEqual({ id: 'q1', text: 'Free a "stuck" valve,\nplease' });
  });

  it.each([
    ['one per line', 'valve stuck\nseal leaks\n\n'],
    ['one per line with CRLF', 'valve stuck\r\nseal leaks'],
    ['a table of one column', 'question\nvalve stuck\nseal leaks\n'],
    ['a list of objects', '[{"text":"valve stuck"},{"text":"seal leaks"}]'],
    ['lines of JSON', '{"text":"valve stuck"}\n{"text":"seal leaks"}\n'],
    ['one per line, one of them twice', 'valve stuck\nseal leaks\nvalve stuck\n'],
  ])('without ids are named by their texts (%s)', async (_name, text) => {
    const { values, issues } = await read(text);

    expect(issues).toEqual([]);
    expect(values.map(({ fields }) => fields)).toEqual([
      { id: 'valve stuck', text: 'valve stuck' },
      { id: 'seal leaks', text: 'seal leaks' },
    ]);
  });

  it('name a text that is too long for an id by a part of it', async () => {
    const [first, second] = ['a', 'b'].map((end) => 'x'.repeat(600) + end);
    const { values } = await read(`${first}\n${second}\n`);
    const ids = values.map(({ fields }) => String(fields['id']));

    expect(ids.every((id) => id.length <= 512 && id.startsWith('xxx'))).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['Quepid', 'query,docid,rating\n"valve, stuck",A1,3\nseal,B2,0\nseal,B3,1\n'],
    [
      'rows of one question apart',
      'query,docid,rating\nseal,B2,0\n"valve, stuck",A1,3\nseal,B3,1\nseal,B3,1\n',
    ],
    [
      'OpenSearch',
      '{"judgmentRatings":[{"query":"valve, stuck","ratings":[{"docId":"A1","rating":"3"}]},{"query":"seal","ratings":[{"docId":"B2","rating":"0"},{"docId":"B3","rating":"1.0"}]}]}',
    ],
    [
      'Azure',
      '{"query":"valve, stuck","retrieval_ground_truth":[{"document_id":"A1","query_relevance_label":3}]}\n{"query":"seal","retrieval_ground_truth":[{"document_id":"B2","query_relevance_label":0},{"document_id":"B3","query_relevance_label":1}]}\n',
    ],
    [
      'RRE',
      '{"topics":[{"query_groups":[{"queries":[{"placeholders":{"$query":"valve, stuck"}}],"relevant_documents":{"3":["A1"]}},{"queries":[{"placeholders":{"$query":"seal"}}],"relevant_documents":{"0":["B2"],"1":["B3"]}}]}]}',
    ],
  ])('come with their judgments from %s', async (_name, text) => {
    const { values, issues } = await read(text);
    const byText = new Map(values.map(({ fields }) => [fields['text'], fields['relevant']]));

    expect(issues).toEqual([]);
    expect(byText).toEqual(
      new Map([
        ['valve, stuck', { A1: 3 }],
        ['seal', { B2: 0, B3: 1 }],
      ]),
    );
  });

  it.each([
    [
      'LlamaIndex',
      '{"queries":{"u1":"valve stuck"},"corpus":{"n1":"Turn the valve."},"relevant_docs":{"u1":["n1"]},"mode":"text"}',
      { id: 'u1', text: 'valve stuck', relevant: { n1: 1 } },
    ],
    [
      'Ragas',
      '{"user_input":"valve stuck","retrieved_context_ids":["A1","A9"],"reference_context_ids":["A1"]}',
      { id: 'valve stuck', text: 'valve stuck', relevant: { A1: 1 } },
    ],
    [
      'a match query',
      '{"requests":[{"id":"valve","request":{"query":{"match":{"text":"valve"}}},"ratings":[{"_index":"kb","_id":"A1","rating":2}]}]}',
      { id: 'valve', text: 'valve', relevant: { A1: 2 } },
    ],
    [
      'a nested query',
      '{"requests":[{"id":"r","request":{"query":{"bool":{"should":[{"multi_match":{"query":"stuck valve","fields":["a","b"]}}]}}},"ratings":[{"_id":"A1","rating":2}]}]}',
      { id: 'r', text: 'stuck valve', relevant: { A1: 2 } },
    ],
    [
      'a template',
      '{"requests":[{"id":"r","template_id":"t","params":{"query_string":"stuck valve"},"ratings":[{"_id":"A1","rating":2}]}]}',
      { id: 'r', text: 'stuck valve', relevant: { A1: 2 } },
    ],
  ])('come with text and judgments from %s', async (_name, text, expected) => {
    const { values, issues } = await read(text);

    expect(issues).toEqual([]);
    expect(values.map(({ fields }) => fields)).toEqual([expected]);
  });

  it('of a request without one text have their ids for texts, with a warning', async () => {
    const text =
      '{"requests":[{"id":"r","request":{"query":{"match":{"a":"x","b":"y"}}},"ratings":[]}]}';
    const { values, warnings } = await read(text);

    expect(values[0]?.fields).toMatchObject({ id: 'r', text: 'r' });
    expect(warnings).toEqual({ 'no-question-text': 1 });
  });

  it.each([
    ['BEIR', '{"_id":"q1","text":"valve stuck","metadata":null}\n'],
    [
      'BEIR without metadata',
      '{"_id":"q1","text":"valve stuck"}\n{"_id":"q2","text":"seal","metadata":{}}',
    ],
    ['MS MARCO', 'q1\tvalve stuck\nq2\tseal leaks\n'],
  ])('are read from %s without their judgments', async (_name, text) => {
    const { values, issues, warnings } = await read(text);

    expect(issues).toEqual([]);
    expect(warnings).toEqual({});
    expect(values[0]).toEqual({ fields: { id: 'q1', text: 'valve stuck' }, isUnlabelled: true });
  });

  it.each([
    [
      'metadata',
      '{"_id":"q1","text":"valve","metadata":{"a":1}}\n{"_id":"q2","text":"seal"}',
      { 'dropped-metadata': 1 },
    ],
    ['a column', 'id,text,owner\nq1,valve,jo\n', { 'ignored-columns': 1 }],
    ['a row twice', 'id,text\nq1,valve\nq1,valve\n', { 'repeated-lines': 1 }],
    ['a row without a grade', 'query,doc,grade\nvalve,A1,1\nseal,,\n', { 'rows-without-grade': 1 }],
  ])('warn of what is not kept: %s', async (_name, text, expected) => {
    expect((await read(text)).warnings).toEqual(expected);
  });

  it.each([
    [
      'two texts for one id',
      'id,text\nq1,valve\nq1,seal\n',
      3,
      "another 'text' here than in line 2",
    ],
    [
      'two grades for one pair',
      'query,doc,grade\nvalve,A1,1\nvalve,A1,2\n',
      3,
      'has grade 2 here and 1',
    ],
    ['a fraction', 'query,doc,grade\nvalve,A1,0.5\n', 2, '?grades='],
    ['no column of texts', 'id,title\nq1,valve\n', undefined, ''],
    ['neither text nor id', 'id,text,kind\n,,howto\n', 2, 'has no text'],
    ['what cannot be answered or not', 'id,text,answerable\nq1,valve,maybe\n', 2, 'true or false'],
  ])('are refused with %s', async (_name, text, line, words) => {
    const { issues } = await read(text, { mediaType: 'text/csv' });

    expect(issues[0]?.line).toBe(line ?? 1);
    expect(issues[0]?.detail).toContain(words);
  });

  it('take tags, splits and whether there is an answer from a table', async () => {
    const text = 'id,text,split,tags,answerable\nq1,valve,held-out,"a, b",no\nq2,seal,,,yes\n';
    const { values } = await read(text);

    expect(values.map(({ fields }) => fields)).toEqual([
      { id: 'q1', text: 'valve', split: 'held-out', tags: ['a', 'b'], answerable: false },
      { id: 'q2', text: 'seal', answerable: true },
    ]);
  });
});
