import { execFile, type ExecFileException } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { createFiles } from '../../helpers/cli.ts';

const timeout = 240_000;
const page = readFileSync('docs/ci.md', 'utf8');

/** A code block of the page by the name of its file, which stands in its first lines. */
function readBlock(name: string): string {
  const blocks = [...page.matchAll(/```\w+\n([^]*?)```/g)].map(([, code = '']) => code);
  const block = blocks.find((code) => new RegExp(`^(#!.*\\n)?(#|//) ${name}\\n`).test(code));
  if (block === undefined) throw new Error(`docs/ci.md has no ${name}`);
  return block;
}

interface Step {
  readonly run: string;
  readonly isAlways: boolean;
}

const Workflow = z.object({
  jobs: z.object({
    gate: z.object({
      steps: z.array(z.object({ run: z.string().optional(), if: z.string().optional() })),
    }),
  }),
});
const GitLab = z.object({ retrieval: z.object({ script: z.array(z.string()) }) });

const github: readonly Step[] = Workflow.parse(
  parse(readBlock('.github/workflows/retrieval.yml')),
).jobs.gate.steps.flatMap((step) =>
  step.run === undefined ? [] : [{ run: step.run, isAlways: step.if === '!cancelled()' }],
);
const jenkins: readonly Step[] = [
  ...readBlock('Jenkinsfile').matchAll(/\bsh (?:'([^']+)')|\bsh\(.*script: '([^']+)'\)/g),
].map(([, plain, withStatus]) => ({ run: plain ?? withStatus ?? '', isAlways: false }));
const gitlab: readonly Step[] = GitLab.parse(
  parse(readBlock('.gitlab-ci.yml')),
).retrieval.script.map((run) => ({ run, isAlways: false }));
const asOne = (name: string): readonly Step[] => [{ run: readBlock(name), isAlways: false }];

const pipelines = [
  { name: 'GitHub Actions', shell: ['bash', '-e', '-c'], steps: github },
  { name: 'Jenkins', shell: ['sh', '-xe', '-c'], steps: jenkins },
  { name: 'Piper', shell: ['sh', '-c'], steps: asOne('.pipeline/retrieval.sh') },
  { name: 'GitLab', shell: ['sh', '-e', '-c'], steps: gitlab },
  { name: 'a shell', shell: ['sh', '-c'], steps: asOne('retrieval.sh') },
];

/** A change of the search, with the verdict that follows from it. */
const changes = [
  { questions: 30, worse: 0, code: 0, verdict: 'pass', result: '' },
  { questions: 30, worse: 30, code: 1, verdict: 'fail', result: '<failure' },
  { questions: 5, worse: 1, code: 2, verdict: 'inconclusive', result: '<skipped' },
];

describe.each(pipelines)('the pipeline for $name in docs/ci.md', ({ shell, steps }) => {
  it.each(changes)(
    'ends with $code if $worse of $questions questions are worse',
    async ({ questions, worse, code, verdict, result }) => {
      const cwd = createProject(questions, worse);
      const ended = await runSteps(cwd, shell, steps);
      const comment = readFileSync(join(cwd, 'reports/retrieval.md'), 'utf8');
      const junit = readFileSync(join(cwd, 'reports/retrieval.xml'), 'utf8');

      expect(ended).toBe(code);
      expect(comment).toMatch(
        new RegExp(`^<!-- grounding-eval:retrieval -->\\n\\n\\*\\*Gate: ${verdict}\\.\\*\\*`),
      );
      expect(junit).toContain('classname="gate.change"');
      expect(/<failure|<skipped/.exec(junit)?.[0] ?? '').toBe(result);
    },
    timeout,
  );
});

it(
  'the workflow for GitHub comments once, updates its comment and appends to the summary',
  async () => {
    const cwd = createProject(5, 1);
    await runSteps(cwd, ['bash', '-e', '-c'], github);
    const first = readFileSync(join(cwd, 'gh.log'), 'utf8');
    writeFileSync(join(cwd, 'gh.log'), '');
    writeFileSync(join(cwd, 'comment-id'), '4711\n');
    await runSteps(cwd, ['bash', '-e', '-c'], github);

    expect(first.trim().split('\n').at(-1)).toBe(
      'api repos/acme/search/issues/7/comments -F body=@reports/retrieval.md',
    );
    expect(readFileSync(join(cwd, 'gh.log'), 'utf8').trim().split('\n').at(-1)).toBe(
      'api -X PATCH repos/acme/search/issues/comments/4711 -F body=@reports/retrieval.md',
    );
    const summary = readFileSync(join(cwd, 'summary.md'), 'utf8');
    expect(summary.match(/^<!-- grounding-eval:retrieval -->$/gm)).toHaveLength(2);
    expect(summary.endsWith(readFileSync(join(cwd, 'reports/retrieval.md'), 'utf8'))).toBe(true);
  },
  timeout,
);

/** The project of the page, whose changed search ranks the document of some questions third in place of first. */
function createProject(questions: number, worse: number): string {
  const ids = Array.from({ length: questions }, (_, index) => `q${index}`);
  const toRun = (changed: number) =>
    ids
      .flatMap((id, question) => {
        const documents = question < changed ? ['no1', 'no2', 'yes'] : ['yes'];
        return documents.map((each, index) => `${id} Q0 ${each} ${index + 1} ${10 - index} t\n`);
      })
      .join('');
  const main = resolve('src/cli/main.ts');
  const folder = createFiles({
    'grounding-eval.yaml': readBlock('grounding-eval.yaml'),
    'eval/qrels.txt': ids.map((id) => `${id} 0 yes 1\n`).join(''),
    'eval/main.trec': toRun(0),
    'found.trec': toRun(worse),
    'package.json': JSON.stringify({ name: 'search', scripts: { rank: 'cat found.trec' } }),
    'package-lock.json': JSON.stringify({
      name: 'search',
      lockfileVersion: 3,
      packages: { '': { name: 'search' } },
    }),
    // The command line without packing and installing it, and the program of GitHub as far as it is used.
    'bin/npx': `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`,
    'bin/gh': `#!/bin/sh\necho "$@" >> gh.log\ncase "$*" in *--jq*) cat comment-id 2>/dev/null || true ;; esac\n`,
  });
  for (const name of ['npx', 'gh']) chmodSync(join(folder, 'bin', name), 0o755);
  return folder;
}

/** As a runner does: after a step that fails, only those run that always do. Returns the code of the failure. */
async function runSteps(
  cwd: string,
  [shell = '', ...options]: readonly string[],
  steps: readonly Step[],
): Promise<number> {
  let failed = 0;
  for (const { run, isAlways } of steps) {
    if (failed !== 0 && !isAlways) continue;
    const code = await runShell(cwd, shell, [...options, run]);
    if (code !== 0) failed = code;
  }
  expect(existsSync(join(cwd, 'eval/change.trec'))).toBe(true);
  return failed;
}

function runShell(cwd: string, shell: string, args: readonly string[]): Promise<number> {
  const env = {
    PATH: [join(cwd, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: cwd,
    npm_config_update_notifier: 'false',
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/search',
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
    GH_TOKEN: 'none',
    PR: '7',
  };
  return new Promise((fulfil) => {
    const ended = (error: ExecFileException | null) => fulfil(error ? Number(error.code ?? -1) : 0);
    execFile(shell, args, { cwd, env }, ended);
  });
}
