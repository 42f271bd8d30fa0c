import { execFile, type ExecFileException } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { CliEnd } from './cli.ts';

/** Makes a project of files and installs packages and tarballs in it, as their users do. */
export async function installProject(
  folder: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
  return folder;
}

/** The packages that npm installed, by path. */
export async function listInstalled(folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: object };
  return Object.keys(packages);
}

/** Runs a command in a folder with the Node.js that is given, without the variables of the test runner. */
export function runWith(
  node: string,
  folder: string,
  [command = '', ...args]: readonly string[],
): Promise<CliEnd> {
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  const { HOME = folder } = process.env;
  const env = { PATH: path, HOME, npm_config_update_notifier: 'false' };
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
    execFile(command, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, ended).stdin?.end();
  });
}
