import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** What a project has installed that uses the package: its dependencies as far as they are needed here. */
const dependencies = [
  'zod',
  '@sap-ai-sdk/document-grounding',
  '@sap-ai-sdk/orchestration',
  '@types/node',
  'typescript',
];

/** The examples of the documentation, each with the output that stands below it. */
const examples = [
  ...(await readFile('docs/testing.md', 'utf8')).matchAll(
    /```js\n\/\/ (\S+)\n(.*?)```\s+```text\n(.*?)```/gs,
  ),
].map(([, name = '', script = '', output = '']) => ({ name, script, output }));

describe('the packed project', () => {
  let folder = '';
  let withoutNock = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grounding-eval-package-'));
    const tarball = await pack(folder);
    withoutNock = await install(join(folder, 'without-nock'), tarball, dependencies);
    await install(join(folder, 'consumer'), tarball, [...dependencies, 'nock']);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds what grounding-eval/testing needs and nothing else', async () => {
    const names = await readdir(join(folder, 'consumer/node_modules/grounding-eval'));
    expect(names.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  });

  it.each(examples)(
    'runs the example $name as it is documented',
    async ({ name, script, output }) => {
      expect(await runScript(join(folder, 'consumer'), name, script)).toBe(output);
    },
  );

  it('has documented examples of both ways', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      'with-mocks.mjs',
      'with-stub.mjs',
      'with-orchestration.mjs',
      'with-failures.mjs',
    ]);
  });

  it('has a stub that needs no nock', async () => {
    const script = `
      import { startAiCoreStub } from 'grounding-eval/testing';
      const stub = await startAiCoreStub();
      await stub.close();
      console.log('closed');
    `;
    expect(await runScript(withoutNock, 'stub.mjs', script)).toBe('closed\n');
  });

  it('says what is missing for mocks without nock', async () => {
    const script = `
      import { mockAiCore } from 'grounding-eval/testing';
      try {
        mockAiCore({ searches: [] });
      } catch (error) {
        console.log(error.message);
      }
    `;
    expect(await runScript(withoutNock, 'mocks.mjs', script)).toBe(
      'mockAiCore needs nock: npm install --save-dev nock\n',
    );
  });

  it.each(['consumer', 'without-nock'])(
    'has types that compile in the project %s',
    async (project) => {
      const script = `
      import { type AiCoreStub, faults, mockAiCore, searchAnswer, startAiCoreStub } from 'grounding-eval/testing';
      const body = searchAnswer({ notes: [{ documentId: 'N-01', score: 0.5 }], help: { error: 'gone' } });
      const queries: readonly string[] = mockAiCore({ searches: [{ body }] }).searches.map(({ query }) => query);
      const stub: AiCoreStub = await startAiCoreStub({ faults: [{ fault: faults.hang(), first: 1 }] });
      // @ts-expect-error -- the stub has no such option.
      await startAiCoreStub({ latency: 5 });
      console.log(queries, stub.counters.requests.search);
    `;
      const root = join(folder, project);
      await writeFile(join(root, 'types.mts'), script);
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
      const compiled = run(
        process.execPath,
        [compiler, ...options, '--types', 'node', 'types.mts'],
        {
          cwd: root,
        },
      );
      await expect(compiled).resolves.toMatchObject({ stdout: '' });
    },
  );
});

/** Packs this project as `npm pack` does for its users; returns the file. */
async function pack(folder: string): Promise<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', '--pack-destination', folder]);
  const [tarball = ''] = await readdir(folder);
  return join(folder, tarball);
}

/** Makes a project that has the package in node_modules, beside links to what it depends on. */
async function install(root: string, tarball: string, names: readonly string[]): Promise<string> {
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, 'grounding-eval'), { recursive: true });
  await run('tar', [
    '-xzf',
    tarball,
    '-C',
    join(modules, 'grounding-eval'),
    '--strip-components=1',
  ]);
  for (const name of names) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve('node_modules', name), join(modules, name), 'junction');
  }
  return root;
}

/** Runs a script by plain Node.js; returns what it printed. */
async function runScript(root: string, name: string, script: string): Promise<string> {
  await writeFile(join(root, name), script);
  const { stdout } = await run(process.execPath, [name], { cwd: root });
  return stdout;
}
