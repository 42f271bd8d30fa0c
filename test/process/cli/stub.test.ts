import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createFiles, runCli } from '../../helpers/cli.ts';

const files = {
  'documents.ndjson': '{"id":"d1","title":"Invoices","paragraphs":["An invoice was blocked."]}\n',
  'qrels.ndjson': '{"id":"q1","text":"invoice blocked","relevant":{"d1":1}}\n',
  'grounding-eval.yaml': `questionSet: qrels.ndjson
configurations:
  - name: production
    backend: aicore
    resourceGroup: default
    filters: [{ id: f, dataRepositoryType: vector, dataRepositories: ["*"] }]
    documentId: { from: chunkMetadata, key: docId }
measures: [RR]
`,
};

describe('grounding-eval stub', () => {
  it('answers as AI Core does until it is told to stop', async () => {
    const cwd = createFiles(files);
    const main = resolve('src/cli/main.ts');
    const options = ['--conditions=grounding-eval-source', main];
    const args = [...options, 'stub', '--corpus', 'documents.ndjson', '--quiet'];
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [serviceKey] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const environment = { AICORE_SERVICE_KEY: serviceKey };
    const evaluated = await runCli(['run', '--quiet'], { cwd, environment });
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];

    expect(evaluated.code).toBe(0);
    expect(evaluated.stdout).toMatch(/^production +1 +1\.0000$/m);
    expect(code).toBe(0);
  }, 120_000);

  it('says which line of its corpus is wrong', async () => {
    const cwd = createFiles({ 'bad.ndjson': '{"id":"a","title":"a","text":"a"}\n{"id":1}\n' });
    const { code, stderr } = await runCli(['stub', '--corpus', 'bad.ndjson'], { cwd });

    expect(code).toBe(3);
    expect(stderr).toMatch(/^bad\.ndjson, line 2: (id must be|title is missing)/);
  }, 60_000);
});
