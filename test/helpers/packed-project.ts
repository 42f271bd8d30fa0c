import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packs a package as `npm pack` does for its users. Returns the tarball. */
export async function packPackage(source: string, folder: string): Promise<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const target = await mkdtemp(join(folder, 'tarball-'));
  await run(npm, ['pack', '--pack-destination', target], { cwd: source });
  const [tarball = ''] = await readdir(target);
  return join(target, tarball);
}

/** Makes a project with the package in node_modules, beside links to the packages it uses. */
export async function installTarball(
  root: string,
  { name, tarball, links }: { name: string; tarball: string; links: readonly string[] },
): Promise<string> {
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, name), { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', join(modules, name), '--strip-components=1']);
  for (const link of links) {
    await mkdir(dirname(join(modules, link)), { recursive: true });
    await symlink(resolve('node_modules', link), join(modules, link), 'junction');
  }
  return root;
}

/** Writes a script and runs it with plain Node.js. Returns what it printed. */
export async function runScript(
  root: string,
  { name, script, options = [] }: { name: string; script: string; options?: readonly string[] },
): Promise<string> {
  await writeFile(join(root, name), script);
  return runNode(root, [...options, name]);
}

/** Without NODE_OPTIONS and the variables of vitest, which would change a test runner that is started. */
export async function runNode(root: string, args: readonly string[]): Promise<string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_|VITEST|TEST$|npm_)/.test(name),
  );
  const { stdout } = await run(process.execPath, args, {
    cwd: root,
    env: Object.fromEntries(kept),
  });
  return stdout;
}
