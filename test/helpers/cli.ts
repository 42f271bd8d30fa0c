import { execFile, type ExecFileException } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { onTestFinished } from 'vitest';

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

const main = resolve('src/cli/main.ts');

/** Runs the command line as a process of its own, without the variables of the test runner. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliEnd> {
  const { cwd, stdin = '', environment = {} } = options;
  const env = { PATH: process.env['PATH'], ...environment };
  const settings = { cwd, env, maxBuffer: 2 ** 28 };
  return new Promise((fulfil) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
      fulfil({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
    const argv = ['--conditions=grounding-eval-source', main, ...args];
    const child = execFile(process.execPath, argv, settings, ended);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

/** Makes a folder with files, gone when the test ends. */
export function createFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'grounding-eval-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}
