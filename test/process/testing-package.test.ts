import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installTarball, packPackage, runNode, runScript } from '../helpers/packed-project.ts';

/** The examples of the documentation, each with the output that stands below it. */
const examples = [
  ...(await readFile('docs/testing.md', 'utf8')).matchAll(
    /```js\n\/\/ (\S+)\n(.*?)```\s+```text\n(.*?)```/gs,
  ),
].map(([, name = '', script = '', output = '']) => ({ name, script, output }));

/** Starts the stub and searches once, then asks two mocks. Prints the id that was found and the two replies. */
const searchAndMock = `
  const stub = await startAiCoreStub({
    corpus: [{ id: 'N-01', title: 'Brakes', paragraphs: ['Measure the pad.'] }],
  });
  const found = await search(stub.serviceKey, 'the pad');
  await stub.close();
  const mock = mockAiCore({
    searches: [{ body: searchAnswer({ notes: [{ documentId: 'N-02', score: 0.5 }] }) }, { status: 429 }],
  });
  const first = await search(mock.serviceKey, 'one');
  const second = await search(mock.serviceKey, 'two');
  mock.remove();
`;

/** A client of the Retrieval API without SAP's SDK. Returns the ids of the documents, or the status of a failure. */
const client = `
  async function search(serviceKey, query) {
    const { clientid, clientsecret, url, serviceurls } = JSON.parse(serviceKey);
    const token = await fetch(url + '/oauth/token', {
      method: 'POST',
      headers: { authorization: 'Basic ' + btoa(clientid + ':' + clientsecret) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = await token.json();
    const response = await fetch(serviceurls.AI_API_URL + '/v2/lm/document-grounding/retrieval/search', {
      method: 'POST',
      headers: {
        authorization: 'Bearer ' + access_token,
        'ai-resource-group': 'default',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, filters: [{ id: 'notes', dataRepositoryType: 'vector' }] }),
    });
    if (response.status !== 200) return String(response.status);
    const { results } = await response.json();
    return results[0].results
      .flatMap(({ dataRepository }) => dataRepository.documents)
      .map(({ metadata }) => metadata.find(({ key }) => key === 'docId').value[0])
      .join();
  }
`;

const names = 'mockAiCore, searchAnswer, startAiCoreStub';

describe('the packed testing kit', () => {
  let folder = '';
  let consumer = '';
  let withoutNock = '';
  let service = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grounding-eval-package-'));
    const links = [
      'zod',
      '@sap-ai-sdk/document-grounding',
      '@sap-ai-sdk/orchestration',
      '@types/node',
      'typescript',
      'vitest',
    ];
    const kit = {
      name: 'grounding-eval-testing',
      tarball: await packPackage('packages/testing', folder),
    };
    withoutNock = await installTarball(join(folder, 'without-nock'), { ...kit, links });
    consumer = await installTarball(join(folder, 'consumer'), {
      ...kit,
      links: [...links, 'nock'],
    });
    service = await installTarball(join(folder, 'service'), {
      name: 'grounding-eval',
      tarball: await packPackage('.', folder),
      links: [...links, 'nock'],
    });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds a build and no source', async () => {
    const root = join(consumer, 'node_modules/grounding-eval-testing');
    expect((await readdir(root)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    const built = await readdir(join(root, 'dist'));
    expect(built).toEqual(expect.arrayContaining(['index.js', 'index.cjs', 'index.d.ts']));
    expect(built.filter((name) => !/\.(js|cjs|d\.ts|d\.cts)$/.test(name))).toEqual([]);
  });

  it('installs at most five packages', async () => {
    const installed = new Set(['grounding-eval-testing']);
    for (const name of installed) {
      const text = await readFile(join(consumer, 'node_modules', name, 'package.json'), 'utf8');
      const { dependencies = {} } = JSON.parse(text) as { dependencies?: object };
      for (const needed of Object.keys(dependencies)) installed.add(needed);
    }
    expect([...installed]).toEqual(['grounding-eval-testing', 'zod']);
  });

  it.each(examples)('runs the example $name as it is documented', async (example) => {
    expect(await runScript(consumer, example)).toBe(example.output);
  });

  it('has documented examples of both ways', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      'with-mocks.mjs',
      'with-stub.mjs',
      'with-orchestration.mjs',
      'with-failures.mjs',
    ]);
  });

  it.each(['grounding-eval-testing', 'grounding-eval/testing'])(
    '%s works with import and with require()',
    async (specifier) => {
      const root = specifier === 'grounding-eval/testing' ? service : consumer;
      const body = `${client} ${searchAndMock} console.log(found, first, second);`;
      const imported = `import { ${names} } from '${specifier}'; ${body}`;
      const required = `const { ${names} } = require('${specifier}'); (async () => { ${body} })();`;

      expect(await runScript(root, { name: 'imports.mjs', script: imported })).toBe(
        'N-01 N-02 429\n',
      );
      expect(await runScript(root, { name: 'requires.cjs', script: required })).toBe(
        'N-01 N-02 429\n',
      );
    },
  );

  it('works under node:test', async () => {
    const script = `
      import assert from 'node:assert';
      import { test } from 'node:test';
      import { ${names} } from 'grounding-eval-testing';
      ${client}
      test('searches', async () => {
        ${searchAndMock}
        assert.deepEqual([found, first, second], ['N-01', 'N-02', '429']);
      });
    `;
    await writeFile(join(consumer, 'runner.test.mjs'), script);
    const output = await runNode(consumer, ['--test', '--test-reporter=tap', 'runner.test.mjs']);
    expect(output).toMatch(/^# pass 1$/m);
  });

  it('works under vitest', async () => {
    const script = `
      import { expect, test } from 'vitest';
      import { ${names} } from 'grounding-eval-testing';
      ${client}
      test('searches', async () => {
        ${searchAndMock}
        expect([found, first, second]).toEqual(['N-01', 'N-02', '429']);
      });
    `;
    await writeFile(join(consumer, 'vitest.test.mjs'), script);
    const output = await runNode(consumer, [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=tap-flat',
      'vitest.test.mjs',
    ]);
    expect(output).toMatch(/^ok 1 /m);
  });

  it('has a stub that needs no nock', async () => {
    const script = `
      import { startAiCoreStub } from 'grounding-eval-testing';
      const stub = await startAiCoreStub();
      await stub.close();
      console.log('closed');
    `;
    expect(await runScript(withoutNock, { name: 'stub.mjs', script })).toBe('closed\n');
  });

  const mockOnly = `
    import { mockAiCore } from 'grounding-eval-testing';
    try {
      mockAiCore({ searches: [] });
    } catch (error) {
      console.log(error.message);
    }
  `;

  it('says what is missing for mocks without nock', async () => {
    expect(await runScript(withoutNock, { name: 'mocks.mjs', script: mockOnly })).toBe(
      'mockAiCore needs nock: npm install --save-dev nock\n',
    );
  });

  it('says so when nock is installed and Node.js cannot load it', async () => {
    // As Node.js 20.12 to 20.18 and 22.0 to 22.11 are by default.
    const options = ['--no-experimental-require-module'];
    expect(await runScript(consumer, { name: 'mocks.mjs', script: mockOnly, options })).toBe(
      'mockAiCore cannot load nock, which is installed: require() of an ES module needs Node.js 20.19 or 22.12, and under Jest Node.js 24.9 with --experimental-vm-modules\n',
    );
  });

  it.each([
    ['an ES module', 'types.mts', 'node16', 'node16'],
    ['an ES module', 'types.mts', 'nodenext', 'nodenext'],
    ['a CommonJS module', 'types.cts', 'node16', 'node16'],
    ['a CommonJS module', 'types.cts', 'nodenext', 'nodenext'],
    ['a bundled module', 'types.ts', 'esnext', 'bundler'],
  ])(
    'has types that compile in %s (%s, module %s, resolution %s)',
    async (...row) => {
      const [, file, module, resolution] = row;
      const script = `
      import { type AiCoreStub, faults, mockAiCore, searchAnswer, startAiCoreStub } from 'grounding-eval-testing';
      const body = searchAnswer({ notes: [{ documentId: 'N-01', score: 0.5 }], help: { error: 'gone' } });
      const queries: readonly string[] = mockAiCore({ searches: [{ body }] }).searches.map(({ query }) => query);
      export async function start(): Promise<AiCoreStub> {
        const stub = await startAiCoreStub({ faults: [{ fault: faults.hang(), first: 1 }] });
        // @ts-expect-error -- the stub has no such option.
        await startAiCoreStub({ latency: 5 });
        console.log(queries, stub.counters.requests.search);
        return stub;
      }
    `;
      for (const root of [consumer, withoutNock]) {
        await writeFile(join(root, file), script);
        const options = ['--noEmit', '--strict', '--target', 'es2024', '--types', 'node'];
        const formats = ['--module', module, '--moduleResolution', resolution];
        const compiler = 'node_modules/typescript/bin/tsc';
        const compiled = runNode(root, [compiler, ...options, ...formats, file]);
        await expect(compiled).resolves.toBe('');
      }
    },
    120_000,
  );
});
