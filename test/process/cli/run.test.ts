import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { startAiCoreStub } from 'grounding-eval-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createFiles, runCli } from '../../helpers/cli.ts';
import { startServer } from '../../helpers/server-process.ts';
import { readGoldenTable } from '../../helpers/golden-table.ts';
import { readLabJson, readLabLines } from '../../helpers/lab.ts';

const timeout = 120_000;

const qrels = 'q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n';
const runs = {
  'eval/qrels.txt': qrels,
  'eval/main.trec': 'q1 Q0 a 1 2 t\nq2 Q0 c 1 2 t\n',
  'eval/pr.trec': 'q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 x 1 2 t\n',
};
const file = `questionSet: eval/qrels.txt
configurations:
  - { name: main, backend: run, run: eval/main.trec }
  - { name: pr, backend: run, run: eval/pr.trec }
measures: [RR]
baseline: main
gate:
  checks: [{ measure: RR, maxDrop: 0.1 }, { measure: RR, minimum: 0.5, on: mean }]
reports: { junit: out/r.xml, markdown: out/r.md, html: out/r.html, csv: out/r.csv, json: out/r.json }
`;

interface EvaluationJson {
  readonly scorecard: readonly {
    readonly configuration: string;
    readonly measures: Readonly<Record<string, number>>;
  }[];
}

describe('grounding-eval run', () => {
  // By hand: RR of pr is 1/2 and 0, a mean of 0.25.
  it(
    'prints the scorecard, decides the gate, writes reports and tells GitHub',
    async () => {
      const cwd = createFiles({ ...runs, 'grounding-eval.yaml': file });
      const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
      const { code, stdout, stderr } = await runCli(['run'], { cwd, environment });
      const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

      expect(code).toBe(1);
      expect(stdout).toContain('Means over questions with a judgment (labelled)\n');
      expect(stdout).toMatch(/^pr +2 +0\.2500$/m);
      expect(stdout).toContain('Gate: fail. pr fails: RR over 2 questions is 0.2500');
      expect(stderr).toContain(
        '::error title=grounding-eval::pr: RR is 0.2500; at least 0.5 is required\n',
      );
      expect(stderr).toContain(
        '::warning title=grounding-eval::pr: RR of question q2 fell from 1.0000 to 0.0000\n',
      );
      expect(read('out/r.md')).toMatch(
        /^<!-- grounding-eval:grounding-eval -->\n\n\*\*Gate: fail\.\*\*/,
      );
      expect(read('summary.md')).toBe(read('out/r.md'));
      expect(read('out/r.xml')).toContain(
        '<testcase name="mean of RR at least 0.5" classname="gate.pr">',
      );
      expect(read('out/r.html')).toMatch(/^<!doctype html>/);
      expect(read('out/r.csv')).toContain('pr,,,2,RR,0.25\n');
      expect(JSON.parse(read('out/r.json'))).toMatchObject({ gate: { verdict: 'fail' } });
    },
    timeout,
  );

  it(
    'has the same answer with a service, and over HTTP',
    async () => {
      const cwd = createFiles({ ...runs, 'grounding-eval.yaml': file });
      const server = await startServer({ DATABASE_URL: 'sqlite::memory:' });
      const args = ['run', '--format', 'json'];
      const [local, remote] = await Promise.all([
        runCli(args, { cwd }),
        runCli([...args, '--url', server.url], { cwd }),
      ]);
      const own = JSON.parse(local.stdout) as object;
      const others = JSON.parse(remote.stdout) as object;
      const { id } = others as { readonly id: string };
      const overHttp = await (await fetch(`${server.url}/v1/eval/${id}`)).json();

      expect([local.code, remote.code]).toEqual([1, 1]);
      expect(overHttp).toEqual(others);
      expect(withoutTimes(own)).toEqual(withoutTimes(others));
    },
    timeout,
  );

  it(
    'prints the scorecard of the lab',
    async () => {
      const lexicon = readLabJson<object>('lexicon.json');
      const documents = readLabLines<object>('documents.jsonl');
      const cwd = createFiles({
        'questions.ndjson': readFileSync('test/golden/lab/questions.jsonl', 'utf8'),
        'corpus.json': JSON.stringify({ documents, lexicon }),
        'lab.yaml': labFile,
      });
      const { code, stdout } = await runCli(['run', 'lab.yaml', '--format', 'json'], { cwd });
      const { scorecard } = JSON.parse(stdout) as EvaluationJson;
      const found = new Map(
        scorecard.flatMap(({ configuration, measures }) =>
          Object.entries(measures).map(([name, value]) => [`${configuration} ${name}`, value]),
        ),
      );
      const rows = readGoldenTable('lab/scorecards');
      const expected = rows.flatMap(([chunking, method, k, kind, measure = '', value]) =>
        chunking === 'sections' && k === '3' && kind === 'all'
          ? [[`${method} ${measure.replace('MRR', 'RR')}`, Number(value)] as const]
          : [],
      );
      const differences = expected.map(([key, value]) =>
        Math.abs(value - (found.get(key) ?? Number.NaN)),
      );

      expect(code).toBe(0);
      expect(differences).toHaveLength(20);
      expect(Math.max(...differences)).toBeLessThan(1e-9);
    },
    timeout,
  );

  it(
    'names the place in the file of what the service refuses',
    async () => {
      const unknown = file.replace('measures: [RR]', 'measures: [RR, nDGC@10]');
      const cwd = createFiles({ ...runs, 'a.yaml': unknown, 'b.yaml': file, 'c.yaml': file });
      const [measure, valid, missing] = await Promise.all([
        runCli(['run', 'a.yaml'], { cwd }),
        runCli(['validate', 'b.yaml'], { cwd }),
        runCli(['validate', 'none.yaml'], { cwd }),
      ]);

      expect(measure).toMatchObject({ code: 3, stdout: '' });
      expect(measure.stderr).toMatch(
        /^a\.yaml, line 5, column 16: Unknown measure 'nDGC@10'; did you mean nDCG@10/,
      );
      expect(valid).toEqual({ code: 0, stdout: '', stderr: 'b.yaml is valid\n' });
      expect(missing).toEqual({
        code: 3,
        stdout: '',
        stderr: 'none.yaml: there is no such file\n',
      });
    },
    timeout,
  );

  it(
    'ends with 4 where nothing answers',
    async () => {
      const cwd = createFiles({
        'qrels.txt': qrels,
        'aicore.yaml': aiCoreFile,
        'main.trec': runs['eval/main.trec'],
      });
      const stub = await startAiCoreStub({});
      await stub.close();
      const [service, searches] = await Promise.all([
        runCli(['score', 'qrels.txt', 'main.trec', '--url', stub.url], { cwd }),
        runCli(['run', 'aicore.yaml'], {
          cwd,
          environment: { AICORE_SERVICE_KEY: stub.serviceKey, SEARCH_ATTEMPTS: '1' },
        }),
      ]);

      expect(service.code).toBe(4);
      expect(service.stderr).toMatch(/^http:\/\/\S+ cannot be reached: .*ECONNREFUSED/);
      expect(searches.code).toBe(4);
      expect(searches.stderr).toContain("Every search of 'production' failed");
    },
    timeout,
  );

  it(
    'goes on in its store after an interruption, and pays for no search twice',
    async () => {
      const questions = Array.from({ length: 12 }, (_, index) => `q${index} 0 d 1\n`).join('');
      const cwd = createFiles({ 'qrels.txt': questions, 'aicore.yaml': aiCoreFile });
      const corpus = [{ id: 'd', title: 'd', paragraphs: ['q'], metadata: {} }];
      const stub = await startAiCoreStub({ corpus, latencyMs: 700 });
      onTestFinished(() => stub.close());
      const environment = {
        PATH: process.env['PATH'],
        AICORE_SERVICE_KEY: stub.serviceKey,
        SEARCH_CONCURRENCY: '1',
      };
      const main = resolve('src/cli/main.ts');
      const args = ['run', 'aicore.yaml', '--store', 'eval.db', '--format', 'json'];
      const child = spawn(process.execPath, [main, ...args], { cwd, env: environment });
      const answered = () =>
        [...stub.counters.questions.values()].filter((each) => each.answered > 0).length;
      while (answered() < 3) await setTimeout(50);
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number];
      const before = answered();
      const again = await runCli(args, {
        cwd,
        environment: { AICORE_SERVICE_KEY: stub.serviceKey },
      });
      const received = [...stub.counters.questions.values()].map((each) => each.answered);

      expect(code).toBe(130);
      expect(before).toBeLessThan(12);
      expect(again.code).toBe(0);
      expect(received).toEqual(Array.from({ length: 12 }, () => 1));
    },
    timeout,
  );
});

describe('grounding-eval and a pipe that closes', () => {
  it(
    'ends quietly',
    async () => {
      const cwd = createFiles({
        'qrels.txt': Array.from({ length: 30_000 }, (_, index) => `q${index} 0 a 1\n`).join(''),
        'main.trec': 'q1 Q0 a 1 1 t\n',
      });
      const command = `set -o pipefail; "${process.execPath}" "${resolve('src/cli/main.ts')}" score qrels.txt main.trec -q | head -1`;
      const ended = Promise.withResolvers<{ error: unknown; stderr: string }>();
      execFile('bash', ['-c', command], { cwd }, (error, _stdout, stderr) =>
        ended.resolve({ error, stderr }),
      );

      expect(await ended.promise).toEqual({ error: null, stderr: '' });
    },
    timeout,
  );
});

const aiCoreFile = `questionSet: qrels.txt
configurations:
  - name: production
    backend: aicore
    resourceGroup: default
    filters: [{ id: f, dataRepositoryType: vector, dataRepositories: ["*"], searchConfiguration: { maxChunkCount: 5 } }]
    documentId: { from: chunkMetadata, key: docId }
measures: [RR]
`;

const labFile = `questionSet: questions.ndjson
corpus: corpus.json
configurations:
  - { name: bm25, backend: local, method: bm25 }
  - { name: vector, backend: local, method: vector }
  - { name: hybrid, backend: local, method: hybrid }
  - { name: rerank, backend: local, method: rerank }
measures: [hit@3, P@3, R@3, RR, nDCG@3]
`;

/** What differs between two runs of the same evaluation. */
function withoutTimes(evaluation: object): unknown {
  const text = JSON.stringify(evaluation, (key, value: unknown) =>
    [
      'id',
      'evaluation',
      'createdAt',
      'startedAt',
      'finishedAt',
      'latencyMs',
      'searchesPerSecond',
    ].includes(key)
      ? null
      : value,
  );
  return JSON.parse(text);
}
