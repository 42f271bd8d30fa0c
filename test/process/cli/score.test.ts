import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { createFiles, runCli } from '../../helpers/cli.ts';
import { readGoldenTable } from '../../helpers/golden-table.ts';

const qrels = 'q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n';
const run = 'q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 c 1 3 t\n';

interface ScoredRuns {
  readonly runs: readonly {
    readonly run: string;
    readonly questions: number;
    readonly measures: Readonly<Record<string, number>>;
    readonly perQuestion: readonly {
      readonly id: string;
      readonly measures: Readonly<Record<string, number>>;
    }[];
  }[];
}

describe('grounding-eval score', () => {
  // By hand: RR is 1/2 on q1, 1 on q2 and 0 on q3, which the run lacks; only q2 has a 2, and it stands first.
  it('prints the mean of each measure', async () => {
    const cwd = createFiles({ 'qrels.txt': qrels, 'main.trec': run });
    const args = ['score', 'qrels.txt', 'main.trec', '-m', 'mrr', '-m', 'P(rel=2)@1'];

    expect(await runCli(args, { cwd })).toEqual({
      code: 0,
      stdout: `RR          0.5\nP(rel=2)@1  ${1 / 3}\n`,
      stderr: '',
    });
  });

  // By hand: without u, q1 is b (0), a (1). q2 and q3 as above. judged@2 and bpref have no form of their own.
  it.each([
    ['TREC files', 'main.trec', `${run}q1 Q0 u 0 9.0 t\n`],
    ['other files', 'main.csv', 'question,document,score\nq1,u,9\nq1,b,2\nq1,a,1\nq2,c,3\n'],
  ])(
    'removes unjudged documents of %s with -J',
    async (_kind, name, text) => {
      const cwd = createFiles({ 'qrels.txt': qrels, [name]: text });
      const measures = ['-m', 'RR', '-m', 'P(rel=2)@1', '-m', 'judged@2'];
      const plain = await runCli(['score', 'qrels.txt', name, ...measures], { cwd });
      const judged = await runCli(['score', 'qrels.txt', name, '-J', ...measures], { cwd });

      expect(plain.stdout.split(/\s+/).slice(0, 2)).toEqual(['RR', String((1 / 3 + 1) / 3)]);
      expect(judged.stdout.split(/\s+/)).toEqual([
        'RR(judged)',
        '0.5',
        'P(rel=2,judged)@1',
        String(1 / 3),
        'judged@2',
        '0.5',
        '',
      ]);
    },
    120_000,
  );

  it('prints questions, and a column for each run', async () => {
    const other = 'q3 Q0 d 1 1 t\n';
    const cwd = createFiles({ 'qrels.txt': qrels, 'a.trec': run, 'b.trec': other });
    const { stdout } = await runCli(['score', 'qrels.txt', 'a.trec', 'b.trec', '-m', 'RR', '-q'], {
      cwd,
    });

    expect(stdout.split('\n').map((line) => line.trim().split(/ +/))).toEqual([
      ['measure', 'question', 'a.trec', 'b.trec'],
      expect.anything(),
      ['RR', 'q1', '0.5', '0'],
      ['RR', 'q2', '1', '0'],
      ['RR', 'q3', '0', '1'],
      ['RR', 'all', '0.5', String(1 / 3)],
      [''],
    ]);
  });

  it.each(['a-graded', 'd-missing', 'c-ties'])(
    'has the values of trec_eval on %s',
    async (name) => {
      const { files, expected } = readCollection(name);
      const cwd = createFiles(files);
      const measures = Object.values(namesHere).flatMap((measure) => ['-m', measure]);
      const args = ['score', 'qrels.txt', 'run.txt', '-q', '--format', 'json', ...measures];
      const { stdout } = await runCli(args, { cwd });
      const [scored] = (JSON.parse(stdout) as ScoredRuns).runs;
      const found = scored?.perQuestion.flatMap(({ id, measures: values }) =>
        Object.entries(values).map(([measure, value]) => [measure, id, value] as const),
      );
      const all = Object.entries(scored?.measures ?? {});
      const means = all.map(([measure, value]) => [measure, 'all', value] as const);
      const differences = [...(found ?? []), ...means].map(([measure, id, value]) =>
        Math.abs(value - (expected.get(`${measure} ${id}`) ?? Number.NaN)),
      );

      expect(differences).toHaveLength(expected.size);
      expect(Math.max(...differences)).toBeLessThan(1e-9);
    },
  );

  it('reads other formats, packed ones and standard input with the same values', async () => {
    const csv = 'question,document,score\nq1,b,2.0\nq1,a,1.0\nq2,c,3\n';
    const cwd = createFiles({
      'qrels.txt.gz': gzipSync(qrels),
      'qrels.json': JSON.stringify({ q1: { a: 1, b: 0 }, q2: { c: 2 }, q3: { d: 1 } }),
      'main.csv': csv,
    });
    const options = ['-q', '--format', 'json'];
    const [fast, slow] = await Promise.all([
      runCli(['score', 'qrels.txt.gz', '-', ...options], { cwd, stdin: run }),
      runCli(['score', 'qrels.json', 'main.csv', ...options], { cwd }),
    ]);

    expect(slow.stderr).toBe('');
    expect(fast.code).toBe(0);
    expect(JSON.parse(slow.stdout.replace('main.csv', 'stdin'))).toEqual(JSON.parse(fast.stdout));
  }, 120_000);

  it.each([
    ['a broken line', { 'run.txt': 'q1 Q0 b\n' }, [], 'run.txt, line 1: 3 columns'],
    ['a duplicate document', { 'run.txt': `${run}q1 Q0 a 3 0.5 t\n` }, [], "run.txt: .*'a'"],
    ['a file that is not there', {}, [], 'run.txt: there is no such file'],
    [
      'an unknown measure',
      { 'run.txt': run },
      ['-m', 'nDGC@10'],
      "'nDGC@10'; did you mean nDCG@10",
    ],
    ['a format of other commands', { 'run.txt': run }, ['--format', 'junit'], '--format junit'],
    ['a damaged archive', { 'run.txt': gzipSync(run).subarray(0, 30) }, [], 'run.txt: is damaged'],
    ['a name of a service', { 'run.txt': run }, ['@main'], "'@main' is a name of a service"],
  ])('says what is wrong with %s', async (_name, files, args, message) => {
    const cwd = createFiles({ 'qrels.txt': qrels, ...(files as Record<string, string>) });
    const { code, stderr, stdout } = await runCli(['score', 'qrels.txt', 'run.txt', ...args], {
      cwd,
    });

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(new RegExp(message));
    expect(stderr).not.toContain('    at ');
  });

  it('answers wrong usage with code 3 and help with code 0', async () => {
    const [wrong, help] = await Promise.all([runCli(['score']), runCli(['score', '--help'])]);

    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toContain("missing required argument 'qrels'");
    expect(help).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes a file, folders included', async () => {
    const cwd = createFiles({ 'qrels.txt': qrels, 'main.trec': run });
    const args = ['score', 'qrels.txt', 'main.trec', '-m', 'RR', '--out', 'reports/rr.txt'];
    const end = await runCli(args, { cwd });
    const again = await runCli(['score', '-', 'main.trec', '-m', 'RR'], { cwd, stdin: qrels });

    expect(end).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(again.stdout).toBe('RR  0.5\n');
  });
});

/** Of trec_eval, by its names. */
const namesHere: Readonly<Record<string, string>> = {
  ndcg_cut_10: 'nDCG@10',
  map: 'AP',
  recip_rank: 'RR',
  recall_100: 'R@100',
  P_10: 'P@10',
  bpref: 'bpref',
};

/** A collection of other tools as TREC files, and what trec_eval -c says of it. */
function readCollection(name: string) {
  const path = `measures/${name}`;
  const expected = readGoldenTable(`${path}/values`).flatMap(([tool, measure = '', id, value]) => {
    const here = namesHere[measure];
    return tool === 'trec_eval' && here ? [[`${here} ${id}`, Number(value)] as const] : [];
  });
  const judged = readGoldenTable(`${path}/qrels`).map(([id, document, grade]) =>
    [id, 0, document, grade].join(' '),
  );
  const hits = readGoldenTable(`${path}/run`).map(([id, document, score]) =>
    [id, 'Q0', document, 1, score, 't'].join(' '),
  );
  const files = { 'qrels.txt': `${judged.join('\n')}\n`, 'run.txt': `${hits.join('\n')}\n` };
  return { files, expected: new Map(expected) };
}
