import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

describe('a script whose reader goes away', () => {
  it.each([
    ['demo', []],
    ['demo', ['--aicore']],
    ['demo', ['--pipelines']],
  ])(
    '%s %j ends without an error, and leaves no service and no folder',
    async (name, args) => {
      const folder = createFolder();
      const ended = await runWithoutReader(`scripts/${name}.ts`, args, folder);

      expect(ended).toEqual({ code: 0, errors: '' });
      expect(readdirSync(folder).filter((file) => file.startsWith('grounding-eval'))).toEqual([]);
      expect(listProcessesWith(folder)).toEqual([]);
    },
    90_000,
  );

  it('npm run demo | head -3 ends without an error', async () => {
    const folder = createFolder();
    const child = spawn(
      'bash',
      ['-c', 'set -o pipefail; npm --loglevel=error run demo | head -3'],
      {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);

    expect(output.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(listProcessesWith(folder)).toEqual([]);
  }, 90_000);

  it.each([['check-licences'], ['write-sbom'], ['generate-openapi']])(
    '%s ends without an error',
    async (name) => {
      const ended = await runWithoutReader(`scripts/${name}.ts`, [], createFolder());

      expect(ended).toEqual({ code: 0, errors: '' });
    },
    60_000,
  );

  it('score ends without an error', async () => {
    const folder = createFolder();
    const [qrels, run] = [join(folder, 'qrels'), join(folder, 'run')];
    writeFileSync(qrels, 'q1 0 a 1\n');
    writeFileSync(run, 'q1 Q0 a 1 2.0 t\n');
    const args = ['score', qrels, run];
    const ended = await runWithoutReader('src/cli/main.ts', args, folder);

    expect(ended).toEqual({ code: 0, errors: '' });
  });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'closed-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Closes the pipe before the script writes, so that every write fails. */
async function runWithoutReader(script: string, args: readonly string[], folder: string) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, errors };
}

/** Linux tells which processes have a text in their environment. Elsewhere the folder has to do. */
function listProcessesWith(folder: string): readonly string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(folder);
    } catch {
      // It ended meanwhile, or belongs to another user.
      return false;
    }
  });
}
