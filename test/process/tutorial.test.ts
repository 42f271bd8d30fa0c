import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { describe, expect, it, onTestFinished } from 'vitest';

const guide = readFileSync('docs/tutorial.md', 'utf8');

/** Each command with the exit code that it ends with and the output that the page shows. */
const commands = [...guide.matchAll(/```sh\n(.*)\n```(?:\n\n```\n([^]*?)```)?/g)].map(
  ([, command = '', shown]) => ({
    command: command.replace(/ # exit code \d$/, ''),
    code: Number(/# exit code (\d)$/.exec(command)?.[1] ?? 0),
    shown,
  }),
);

describe('the commands of docs/tutorial.md', { timeout: 120_000 }, () => {
  it('are all found', () => {
    expect(commands).toHaveLength(6);
  });

  it.each(commands)('$command', ({ command, code, shown }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tutorial-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const isolated = command.replace('pool.csv', join(folder, 'pool.csv'));
    const { status, stdout } = spawnSync('sh', ['-c', isolated], {
      cwd: resolve('.'),
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });

    expect(status).toBe(code);
    expect(stdout.length + Number(command.includes('--out'))).toBeGreaterThan(0);
    // Where the page shows an output, it is this one.
    expect(stdout.trimEnd()).toBe((shown ?? stdout).trimEnd());
  });
});
