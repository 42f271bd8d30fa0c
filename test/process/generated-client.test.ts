import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { startServer } from '../helpers/server-process.ts';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const [example = ''] = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code ?? '');

it('compiles and runs the requests of the README with types as they are generated', async () => {
  const folder = createProject();
  const types = pathToFileURL(join(folder, 'openapi.ts')).href;
  const write = `import('./web/build/write-api-types.ts').then((m) => m.writeApiTypes(new URL('${types}')))`;
  await run(process.execPath, ['-e', write]);
  const { url } = await startServer({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'info' });
  writeFileSync(join(folder, 'requests.ts'), toTypeScript(readRequests(readme), url));
  writeFileSync(join(folder, 'example.ts'), example.replace('http://localhost:8080', url));
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]);
  const requests = await runScript(folder, 'requests.ts');
  const output = await runScript(folder, 'example.ts');

  expect(requests.trim().split('\n')).toEqual([
    'PUT /v1/search-configurations/{name} 201',
    'PUT /v1/search-configurations/{name} 201',
    'POST /v1/eval 200',
    'POST /v1/compare 200',
    'POST /v1/pool 200',
    'GET /v1/eval/{id}/questions 200',
    'GET /v1/eval/{id}/report 200',
  ]);
  // The second column of the README's table of the held-out half.
  expect(output).toMatch(/\[ 'hybrid', 0\.72\d+ \].*\[ 'rerank', 0\.72\d+ \]/s);
}, 120_000);

interface ReadmeRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** The requests that the README makes with curl; `$method` stands for two of them. */
function readRequests(text: string): readonly ReadmeRequest[] {
  const calls = text.matchAll(
    /curl -s (?:-X (\w+) )?"?\$api(\/[^\s"]+)"?([^]*?)(?=\n(?:curl|done|```)| +#)/g,
  );
  return [...calls].flatMap(([, method = 'GET', path = '', options = '']) => {
    const [, body] = /-d (@\S+|'.*')/.exec(options) ?? [];
    const names = path.includes('$method') ? ['hybrid', 'rerank'] : [''];
    return names.map((name) => ({
      method,
      path: path.replace('$method', name),
      body: body && readBody(body.replace('$method', name)),
    }));
  });
}

function readBody(argument: string): string {
  if (argument.startsWith('@')) return readFileSync(argument.slice(1), 'utf8');
  return argument.slice(1, -1).replaceAll(`"'$id'"`, 'id');
}

/** Each request as a call of openapi-fetch. The first evaluation gives the id. */
function toTypeScript(requests: readonly ReadmeRequest[], url: string): string {
  const calls = requests.map(({ method, path, body }) => {
    const { pathname, searchParams } = new URL(`http://host/v1${path}`);
    const template = pathname
      .replace(/(search-configurations)\/\w+/, '$1/{name}')
      .replace('/eval/$id', '/eval/{id}');
    const [, name] = /search-configurations\/(\w+)/.exec(pathname) ?? [];
    const params = [
      ...(name === undefined ? [] : [`path: { name: '${name}' }`]),
      ...(template.includes('{id}') ? ['path: { id }'] : []),
      ...(searchParams.size > 0
        ? [`query: ${JSON.stringify(Object.fromEntries(searchParams))}`]
        : []),
      ...(template === '/v1/eval' ? [`header: { prefer: 'wait=30' }`] : []),
    ];
    const parts = [`params: { ${params.join(', ')} }`, ...(body ? [`body: ${body}`] : [])];
    const parsing = template.endsWith('/report') ? `, parseAs: 'text'` : '';
    return `{
      const { data, response } = await client.${method}('${template}', { ${parts.join(', ')}${parsing} });
      console.log('${method} ${template}', response.status);
      ${template === '/v1/eval' ? `if (data && 'id' in data) id = data.id;` : 'void data;'}
    }`;
  });
  return `import createClient from 'openapi-fetch';
    import type { paths } from './openapi.ts';
    const client = createClient<paths>({ baseUrl: '${url}' });
    let id = '';
    ${calls.join('\n')}`;
}

function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  const links = { 'openapi-fetch': 'node_modules/openapi-fetch', 'grounding-eval': '.' };
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(resolve(target), join(folder, 'node_modules', name), 'junction');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ['grounding-eval-source'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return folder;
}

async function runScript(folder: string, script: string): Promise<string> {
  const options = ['--conditions=grounding-eval-source', script];
  const { stdout } = await run(process.execPath, options, { cwd: folder });
  return stdout;
}
