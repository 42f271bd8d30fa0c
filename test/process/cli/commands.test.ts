import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createFiles, runCli } from '../../helpers/cli.ts';

const timeout = 120_000;

/** Questions of which document `yes` is relevant. */
function toQrels(count: number): string {
  return Array.from({ length: count }, (_, index) => `q${index} 0 yes 1\n`).join('');
}

/** A run that has it at a rank. */
function toRun(count: number, rankOf: (question: number) => number): string {
  return Array.from({ length: count }, (_, question) => {
    const rank = rankOf(question);
    const hits = Array.from({ length: rank }, (_hit, index) =>
      index === rank - 1 ? 'yes' : `no${index}`,
    );
    return hits.map((id, index) => `q${question} Q0 ${id} ${index + 1} ${10 - index} t\n`).join('');
  }).join('');
}

const files = {
  'qrels.txt': toQrels(20),
  'main.trec': toRun(20, () => 1),
  'equal.trec': toRun(20, () => 1),
  'worse.trec': toRun(20, () => 2),
  'two.trec': toRun(20, (question) => (question < 2 ? 2 : 1)),
};

const runGate = (candidate: string, ...more: readonly string[]) => {
  const cwd = createFiles(files);
  const rules = ['-m', 'RR', '--max-drop', '0.02', ...more];
  return runCli(['gate', 'qrels.txt', 'main.trec', candidate, ...rules], { cwd });
};

describe('grounding-eval gate', () => {
  it(
    'ends with 0, 1 or 2',
    async () => {
      const [equal, worse] = await Promise.all([runGate('equal.trec'), runGate('worse.trec')]);
      const [open, accepted] = await Promise.all([
        runGate('two.trec'),
        runGate('two.trec', '--inconclusive', 'pass', '--format', 'json'),
      ]);

      expect(equal).toMatchObject({ code: 0, stderr: '' });
      expect(equal.stdout).toContain(
        'Gate: pass. equal.trec passes: RR over 20 questions did not change',
      );
      expect(worse).toMatchObject({ code: 1, stderr: '' });
      expect(worse.stdout).toContain(
        'Gate: fail. worse.trec fails: RR over 20 questions changed by -0.5000',
      );
      expect(open.code).toBe(2);
      expect(accepted.code).toBe(0);
      expect(JSON.parse(accepted.stdout)).toMatchObject({
        verdict: 'pass',
        onInconclusive: 'pass',
      });
    },
    timeout,
  );

  it(
    'writes a comment for a pull request, and JUnit',
    async () => {
      const [comment, junit] = await Promise.all([
        runGate('worse.trec', '--format', 'markdown', '--label', 'retrieval'),
        runGate('two.trec', '--format', 'junit'),
      ]);
      const lines = comment.stdout.split('\n');

      expect(lines[0]).toBe('<!-- grounding-eval:retrieval -->');
      expect(lines[2]).toMatch(/^\*\*Gate: fail\.\*\* worse\.trec fails: /);
      expect(
        lines.filter((line) => /^\| q\d+ \| q\d+ \| 1\.0000 \| 0\.5000 \| 1 \| 2 \|$/.test(line))
          .length,
      ).toBe(20);
      expect(comment.stdout).toMatch(
        /<details>\n<summary>Report<\/summary>\n\n# Evaluation retrieval/,
      );
      expect(junit.code).toBe(2);
      expect(junit.stdout).toMatch(
        /<testcase name="RR" classname="gate\.two\.trec">\s*<skipped message="two\.trec is inconclusive/,
      );
      expect(junit.stdout).toContain('<property name="RR" value="0.5"/>');
    },
    timeout,
  );

  it(
    'says what is wrong',
    async () => {
      const cwd = createFiles({ ...files, 'bad.csv': 'question,document,score\nq1,a,x\n' });
      const [rule, file] = await Promise.all([
        runCli(['gate', 'qrels.txt', 'main.trec', 'two.trec'], { cwd }),
        runCli(['gate', 'qrels.txt', 'main.trec', 'bad.csv', '--max-drop', '0'], { cwd }),
      ]);

      expect(rule).toMatchObject({ code: 3, stdout: '' });
      expect(rule.stderr).toContain('--max-drop: say how far');
      expect(file).toMatchObject({ code: 3, stdout: '' });
      expect(file.stderr).toMatch(/^bad\.csv, line 2: /);
    },
    timeout,
  );
});

describe('grounding-eval compare, pool and convert', () => {
  // By hand: two of twenty fall from 1 to 1/2, a mean of −0.05.
  it(
    'compare prints a sentence, the numbers and what moved most',
    async () => {
      const cwd = createFiles(files);
      const args = ['compare', 'qrels.txt', 'main.trec', 'two.trec', '-m', 'RR', '--seed', '3'];
      const [table, json, markdown, csv] = await Promise.all([
        runCli(args, { cwd }),
        runCli([...args, '--format', 'json'], { cwd }),
        runCli([...args, '--format', 'markdown'], { cwd }),
        runCli([...args, '--format', 'csv'], { cwd }),
      ]);

      expect(table.code).toBe(0);
      expect(table.stdout).toMatch(/^two\.trec and main\.trec cannot be told apart on RR: /);
      expect(table.stdout).toMatch(/^RR +20 +1\.0000 +0\.9500 +-0\.0500 /m);
      expect(table.stdout).toMatch(/^q0 +1\.0000 +0\.5000 +-0\.5000$/m);
      expect(JSON.parse(json.stdout)).toMatchObject({
        meanDifference: -0.05,
        interval: { seed: 3 },
        losses: 2,
      });
      expect(markdown.stdout).toMatch(/^\|.*\bRR\b.*-0\.0500/m);
      expect(csv.stdout).toContain('RR,main.trec,two.trec,q0,q0,1,0.5,-0.5,loss');
    },
    timeout,
  );

  it(
    'pool lists documents without a judgment, with an empty grade',
    async () => {
      const cwd = createFiles({
        'qrels.txt': 'q1 0 a 1\nq1 0 b 0\n',
        'x.trec': 'q1 Q0 c 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 d 3 1 t\n',
      });
      const args = ['pool', 'qrels.txt', 'x.trec', '--depth', '2'];
      const [table, csv] = await Promise.all([
        runCli(args, { cwd }),
        runCli([...args, '--out', 'pool.csv'], { cwd }),
      ]);

      expect(table.stdout).toMatch(
        /^1 documents without a judgment in the top 2\nx\.trec: 0\.5000 judged\n/,
      );
      expect(table.stdout).toMatch(/^q1 +c +x\.trec \(1\)$/m);
      expect(csv).toMatchObject({ code: 0, stdout: '' });
      expect(readFileSync(join(cwd, 'pool.csv'), 'utf8')).toBe(
        'questionId,question,documentId,title,snippet,grade\nq1,q1,c,,,\n',
      );
    },
    timeout,
  );

  it(
    'convert keeps what the format can hold, and says what is lost',
    async () => {
      const cwd = createFiles({ 'qrels.txt': 'q1 0 a 1\n', 'x.trec': 'q1 Q0 c 1 3.5 tag\n' });
      const [qrels, run] = await Promise.all([
        runCli(['convert', 'qrels.txt', 'qrels.csv'], { cwd }),
        runCli(['convert', 'x.trec', 'out/x.csv'], { cwd }),
      ]);
      const unknown = await runCli(['convert', 'x.trec', 'x.doc'], { cwd });

      expect([qrels.code, run.code, unknown.code]).toEqual([0, 0, 3]);
      expect(qrels.stderr).toContain('qrels.csv does not hold: ');
      expect(readFileSync(join(cwd, 'qrels.csv'), 'utf8')).toBe(
        'question,document,grade\nq1,a,1\n',
      );
      expect(readFileSync(join(cwd, 'out/x.csv'), 'utf8')).toBe(
        'question,document,score\nq1,c,3.5\n',
      );
      expect(existsSync(join(cwd, 'x.doc'))).toBe(false);
    },
    timeout,
  );

  it(
    'convert reads documents and topics of test collections',
    async () => {
      const cwd = createFiles({
        'docs.all': '.I 1\n.T\nWings\n.W\nlift\nand drag\n',
        'topics.sgml': '<top>\n<num> Number: 301\n<title> Drag\n</top>\n',
        'broken.all': '.I 1\nlost\n',
      });
      const [documents, topics, broken] = await Promise.all([
        runCli(['convert', 'docs.all', 'docs.ndjson', '--kind', 'documents'], { cwd }),
        runCli(['convert', 'topics.sgml', 'topics.jsonl', '--kind', 'topics'], { cwd }),
        runCli(['convert', 'broken.all', 'broken.jsonl', '--kind', 'documents'], { cwd }),
      ]);

      expect([documents.code, topics.code, broken.code]).toEqual([0, 0, 3]);
      expect(readFileSync(join(cwd, 'docs.ndjson'), 'utf8')).toBe(
        '{"id":"1","title":"Wings","paragraphs":["lift and drag"]}\n',
      );
      expect(readFileSync(join(cwd, 'topics.jsonl'), 'utf8')).toBe('{"id":"301","text":"Drag"}\n');
      expect(broken.stderr).toContain('broken.all: line 2: stands before');
      expect(existsSync(join(cwd, 'broken.jsonl'))).toBe(false);
    },
    timeout,
  );
});
