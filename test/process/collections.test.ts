import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

const real = join('..', 'shared', 'collections');

describe('npm run collections', () => {
  // Anserini publishes MAP 0.3123 and P@30 0.1942 for Lucene on these files.
  it('comes within 0.015 of the published figures of CACM', async (context) => {
    if (!existsSync(join(real, 'cacm'))) context.skip(`there is no folder ${join(real, 'cacm')}`);

    const output = await runCollections(real);

    expect(output).toMatch(/^CACM: 3204 documents, 64 topics/m);
    const figures = readRow(output, 'english-k1_0.9-b_0.4');
    expect(figures['judged topics']).toBe(52);
    expect(Math.abs(Number(figures['AP']) - 0.3123)).toBeLessThan(0.015);
    expect(Math.abs(Number(figures['P@30']) - 0.1942)).toBeLessThan(0.015);
    expect(output).toMatch(/^published: AP 0\.3123, P@30 0\.1942 \(Anserini/m);
  });

  // By hand: topic 1 (.I 7) finds document 2 alone, code 1 (grade 4): AP 1. Topic 2 (.I 9) finds 1 alone, which has -1
  // (grade 0), and misses 3: AP 0. The mean is 0.5; P@30 is 1/30 and 0.
  it('counts the queries of Cranfield by position, and says which collections are absent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'collections-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'cranfield'));
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, 'cranfield', name), text);
    write('cran.all.1400', '.I 1\n.W\nwings\n.I 2\n.W\ndrags\n.I 3\n.W\nheat\n');
    write('cran.qry', '.I 7\n.W\ndrag\n.I 9\n.W\nwing\n');
    write('cranqrel', '1 2 1 \n2 1 -1\n2 3 4\n');

    const output = await runCollections(folder);

    expect(output).toContain(
      `cacm: not checked, because there is no folder ${join(folder, 'cacm')}`,
    );
    const figures = readRow(output, 'english-k1_0.9-b_0.4');
    expect(figures).toMatchObject({ 'judged topics': 2, AP: 0.5, 'P@30': 0.0167 });
  });
});

async function runCollections(root: string): Promise<string> {
  const { stdout } = await promisify(execFile)('node_modules/.bin/node', [
    'scripts/collections.ts',
    root,
  ]);
  return stdout;
}

function readRow(output: string, configuration: string): Readonly<Record<string, number>> {
  const lines = output.split('\n').map((line) => line.split('\t'));
  const header = lines.find(([name]) => name === 'configuration') ?? [];
  const row = lines.find(([name]) => name === configuration) ?? [];
  return Object.fromEntries(header.map((name, index) => [name, Number(row[index])]));
}
