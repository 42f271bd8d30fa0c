import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import kitJson from '../../packages/testing/package.json' with { type: 'json' };
import { installProject, listInstalled, runWith } from '../helpers/installed-package.ts';
import { packPackage } from '../helpers/packed-project.ts';
import { waitFor } from '../helpers/poll.ts';

/** Installs hundreds of packages, on a machine that may be busy. */
const minutes = 60_000;

const qrels = 'q1 0 a 1\nq2 0 b 1\n';
const run = 'q1 Q0 a 1 2 x\nq2 Q0 c 1 2 x\n';

/** A mock asked once, in the words of a test runner that knows `test`. */
const searchOnce = `
  const mock = mockAiCore({
    searches: [{ body: searchAnswer({ notes: [{ documentId: 'N-02', score: 0.5 }] }) }],
  });
  const { clientid, clientsecret, url, serviceurls } = JSON.parse(mock.serviceKey);
  const token = await (await fetch(url + '/oauth/token', {
    method: 'POST',
    headers: { authorization: 'Basic ' + btoa(clientid + ':' + clientsecret) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })).json();
  const response = await fetch(serviceurls.AI_API_URL + '/v2/lm/document-grounding/retrieval/search', {
    method: 'POST',
    headers: {
      authorization: 'Bearer ' + token.access_token,
      'ai-resource-group': 'default',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: 'one', filters: [{ id: 'notes', dataRepositoryType: 'vector' }] }),
  });
  const { results } = await response.json();
  mock.remove();
  require('node:assert').match(JSON.stringify(results), /N-02/);
`;
const imports = `const { mockAiCore, searchAnswer } = require('grounding-eval-testing');`;

describe('the packages as they are published', () => {
  let folder = '';
  let kit = '';
  let program = '';
  let project = '';
  const nodes = { '24': process.execPath, '22': '', '20': '' };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grounding-eval-published-'));
    kit = await packPackage('packages/testing', folder);
    program = await packPackage('.', folder);
    const files = { 'q.txt': qrels, 'r.trec': run };
    project = await installProject(join(folder, 'project'), [program], files);
    for (const major of ['22', '20'] as const) {
      const name = `node-${process.platform}-${process.arch}`;
      const root = await installProject(join(folder, `node-${major}`), [`${name}@${major}`]);
      nodes[major] = join(root, 'node_modules', name, 'bin/node');
    }
  }, 15 * minutes);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('have one version, which the changelog describes', async () => {
    const changelog = await readFile('CHANGELOG.md', 'utf8');
    const mta = await readFile('mta.yaml', 'utf8');
    const [latest] = changelog.match(/(?<=^## )\S+/m) ?? [];

    expect([packageJson.version, kitJson.version, /^version: (\S+)/m.exec(mta)?.[1]]).toEqual(
      Array.from({ length: 3 }, () => latest),
    );
  });

  it.each(['24', '22'] as const)(
    'npx grounding-eval works on Node.js %s',
    async (major) => {
      const npx = ['npx', '--no', '--', 'grounding-eval'];
      const version = await runWith(nodes[major], project, [...npx, '--version']);
      const measured = ['r.trec', '-m', 'nDCG@10'];
      const scored = await runWith(nodes[major], project, [...npx, 'score', 'q.txt', ...measured]);
      const pair = ['q.txt', 'r.trec', ...measured];
      const compared = await runWith(nodes[major], project, [...npx, 'compare', ...pair]);

      expect(version).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
      // By hand: q1 is answered at rank 1, q2 not at all.
      expect(scored).toMatchObject({ code: 0, stdout: 'nDCG@10  0.5\n' });
      expect(compared).toMatchObject({ code: 0 });
      expect(compared.stdout).toContain('0.5000     0.5000');
    },
    5 * minutes,
  );

  it(
    'grounding-eval serve has the pages and the sample on Node.js 22',
    async () => {
      const child = spawn(nodes['22'], ['node_modules/.bin/grounding-eval', 'serve'], {
        cwd: project,
        env: { PATH: dirname(nodes['22']), PORT: '0' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let log = '';
      child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
      const [, url = ''] = await waitFor(
        () => /Server listening at (http:[^"]+)/.exec(log) ?? undefined,
        { within: 2 * minutes },
      );
      const pages = await fetch(`${url}/ui/`);
      const sample = await fetch(`${url}/v1/question-sets/sample`);
      child.kill('SIGTERM');
      await once(child, 'exit');

      expect([pages.status, sample.status, child.exitCode]).toEqual([200, 200, 0]);
    },
    5 * minutes,
  );

  it('says in one line what another Node.js needs', async () => {
    const command = ['node', 'node_modules/.bin/grounding-eval', '--version'];
    const { code, stdout, stderr } = await runWith(nodes['20'], project, command);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^grounding-eval needs Node\.js 22\.18 or newer.* this is 20\..*\n$/);
  });

  it('types of the client compile in a project of its own', async () => {
    const script = `
      import { createGroundingEvalClient } from 'grounding-eval/client';
      const client = createGroundingEvalClient({ url: 'http://localhost:8080', token: 'x' });
      const { data } = await client.GET('/v1/principal');
      export const name: string | null | undefined = data?.name;
      // @ts-expect-error -- there is no such path.
      await client.GET('/v1/nothing');
    `;
    await writeFile(join(project, 'client.mts'), script);
    const compiler = ['node', join(process.cwd(), 'node_modules/typescript/bin/tsc')];
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext'];
    const files = ['--types', '', 'client.mts'];

    expect(await runWith(nodes['24'], project, [...compiler, ...options, ...files])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it(
    'the kit alone is at most five packages',
    async () => {
      const alone = await listInstalled(await installProject(join(folder, 'alone'), [kit]));

      expect(alone).toContain('node_modules/grounding-eval-testing');
      expect(alone.length).toBeLessThanOrEqual(5);
    },
    5 * minutes,
  );

  it(
    'the kit works in Jest, Mocha and node:test, and with types of node10',
    async () => {
      const root = await installProject(
        join(folder, 'runners'),
        [kit, 'nock@15', 'jest@30', 'mocha@11', 'typescript@5.9.3', '@types/node@24'],
        {
          'jest.test.js': `${imports} test('searches', async () => {${searchOnce}});`,
          'mocha.spec.cjs': `${imports} it('searches', async () => {${searchOnce}});`,
          'node.test.cjs': `${imports} require('node:test')('searches', async () => {${searchOnce}});`,
          'types.ts': `import { mockAiCore } from 'grounding-eval-testing';
            export const queries: readonly string[] = mockAiCore({ searches: [] }).searches.map(({ query }) => query);`,
        },
      );
      const runs = [
        [
          'node',
          '--experimental-vm-modules',
          'node_modules/jest/bin/jest.js',
          '--testTimeout=60000',
          'jest.test.js',
        ],
        ['node', 'node_modules/mocha/bin/mocha.js', '--timeout=60000', 'mocha.spec.cjs'],
        ['node', '--test', 'node.test.cjs'],
        ['node', 'node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--target', 'es2022']
          .concat([
            '--module',
            'commonjs',
            '--moduleResolution',
            'node10',
            '--esModuleInterop',
            '--types',
            'node',
          ])
          .concat('types.ts'),
      ];
      const ends: (readonly [number, string])[] = [];
      for (const command of runs) {
        const { code, stdout, stderr } = await runWith(nodes['24'], root, command);
        ends.push([code, `${stdout}${stderr}`]);
      }

      expect(ends).toEqual([
        [0, expect.stringMatching(/Tests: +1 passed, 1 total/)],
        [0, expect.stringMatching(/1 passing/)],
        [0, expect.stringMatching(/pass 1\n/)],
        [0, ''],
      ]);
    },
    10 * minutes,
  );
});
