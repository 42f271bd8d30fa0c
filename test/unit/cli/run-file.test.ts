import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseRunFile } from '../../../src/cli/run-file/parse-run-file.ts';
import { toJsonSchema } from '../../../src/cli/run-file/run-file.ts';

const parse = (text: string, environment: Record<string, string> = {}) =>
  parseRunFile(text, 'file.yaml', environment).file;

const start =
  'questionSet: q.txt\nconfigurations:\n  - { name: main, backend: run, run: a.trec }\n';

describe('the file of grounding-eval run', () => {
  it('reads the example of the documentation', () => {
    const [, example = ''] =
      /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/cli.md', 'utf8')) ?? [];

    expect(parse(example)).toMatchObject({
      questionSet: 'eval/questions.ndjson',
      baseline: 'main',
      gate: { checks: [{ measure: 'nDCG@10', maxDrop: 0.02 }] },
    });
  });

  it.each([
    [
      'a key at the top',
      `${start}mesures: [RR]\n`,
      "line 4, column 1: unknown key 'mesures'; did you mean 'measures'?",
    ],
    [
      'a key of a check',
      `${start}baseline: main\ngate:\n  checks:\n    - measure: RR\n      max-drop: 0.1\n`,
      "line 8, column 7: unknown key 'max-drop'; did you mean 'maxDrop'?",
    ],
    [
      'a key of a configuration',
      'questionSet: q.txt\nconfigurations:\n  - name: a\n    backend: local\n    methode: bm25\n    method: bm25\n',
      "line 5, column 5: unknown key 'methode'; did you mean 'method'?",
    ],
    [
      'a key that nothing is near to',
      `${start}zebra: 1\n`,
      "line 4, column 1: unknown key 'zebra'",
    ],
    [
      'a value of another type',
      `${start}sliceBy: kind\n`,
      'line 4, column 1: sliceBy must be array, not string',
    ],
    ['what is missing', 'questionSet: q.txt\n', 'line 1, column 1: configurations is missing'],
    ['broken YAML', 'questionSet: [\n', 'line 2, column 1: Flow sequence'],
    [
      'a key twice',
      `${start}measures: [RR]\nmeasures: [AP]\n`,
      'line 5, column 1: Map keys must be unique',
    ],
    [
      'a variable that is not set',
      `${start}label: \${NONE}\n`,
      'line 4, column 8: environment variable NONE is not set',
    ],
  ])('says where %s is wrong', (_name, text, message) => {
    expect(() => parse(text)).toThrow(`file.yaml, ${message}`);
  });

  it('puts environment variables into values, as numbers where they are', () => {
    const text = `questionSet: \${SET:-office}/q.txt
configurations:
  - { name: main, backend: run, run: "\${RUN}" }
baseline: main
gate:
  measure: RR
  maxDrop: \${DROP:-0.02}
`;

    expect(parse(text, { RUN: '12', SET: '' })).toMatchObject({
      questionSet: 'office/q.txt',
      configurations: [{ run: '12' }],
      gate: { maxDrop: 0.02 },
    });
    expect(parse(text, { RUN: 'a', DROP: '0.5' })).toMatchObject({ gate: { maxDrop: 0.5 } });
  });

  it('brings no structure by a variable', () => {
    const text = `${start}name: \${NAME}\n`;

    expect(() => parse(text, { NAME: '[a]' })).toThrow('line 4, column 1: name must be 1 to 64');
  });

  it('schemas/grounding-eval.schema.json is up to date (else run `npm run openapi` and commit it)', () => {
    const stored: unknown = JSON.parse(readFileSync('schemas/grounding-eval.schema.json', 'utf8'));

    expect(stored).toEqual(JSON.parse(JSON.stringify(toJsonSchema())));
  });
});
