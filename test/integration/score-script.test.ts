import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'score-'));
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const qrels = write('qrels', 'q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n');
const run = write('run', 'q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 c 1 3 t\n');
const score = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/score.ts', ...args]);

describe('npm run score', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  // By hand: RR is 1/2 on q1, 1 on q2 and 0 on q3, which the run lacks; only q2 has a 2, and it stands first.
  it('prints the mean of each measure that is asked for', async () => {
    const { stdout } = await score(qrels, run, 'mrr', 'P(rel=2)@1');

    expect(stdout).toBe(`RR          0.5\nP(rel=2)@1  ${1 / 3}\n`);
  });

  it.each([
    ['a broken line', [qrels, write('broken', 'q1 Q0 b\n')], '.*/broken, line 1: 3 columns'],
    ['a file that is not there', [qrels, join(folder, 'none')], 'ENOENT'],
    ['an unknown measure', [qrels, run, 'zz'], "unknown measure 'zz'"],
    ['no files', [], 'Usage: '],
  ])('says what is wrong with %s', async (_name, args, message) => {
    await expect(score(...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^${message}[^\n]*\n$`)),
    });
  });
});
