import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { createFiles } from '../../helpers/cli.ts';

/** Prints the processor time of the whole process when it ends: that of other processes does not count. */
const tellTime = `import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(2, 'milliseconds ' + (user + system) / 1000);
  });`;
const hook = `--import=data:text/javascript,${encodeURIComponent(tellTime)}`;
const main = resolve('src/cli/main.ts');

/** The least of several runs. */
async function measure(cwd: string, args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 4; run += 1) {
    const { stderr } = await promisify(execFile)(process.execPath, [hook, ...args], { cwd });
    times.push(Number(/milliseconds ([\d.]+)$/.exec(stderr)?.[1]));
  }
  return Math.min(...times);
}

// On a quiet machine Node.js alone takes 40 ms, help must take less than 150 and the score less than 500. Ratios
// hold on a slow or busy machine too.
it('help and a score of 1,000 questions with 100 documents each take little more than Node.js', async () => {
  const questions = Array.from({ length: 1000 }, (_, index) => `q${index}`);
  const ranks = Array.from({ length: 100 }, (_, index) => index + 1);
  const cwd = createFiles({
    'qrels.txt': questions.map((id) => `${id} 0 d1 1\n`).join(''),
    'run.trec': questions
      .flatMap((id) => ranks.map((rank) => `${id} Q0 d${rank} ${rank} ${200 - rank} t\n`))
      .join(''),
  });
  const bare = await measure(cwd, ['-e', '0']);
  const help = await measure(cwd, [main, '--help']);
  const score = await measure(cwd, [main, 'score', 'qrels.txt', 'run.trec', '-m', 'nDCG@10']);

  expect(help / bare).toBeLessThan(5);
  expect(score / bare).toBeLessThan(14);
}, 120_000);
