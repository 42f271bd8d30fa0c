import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parseDockerfile, readExecForm, type Stage } from './dockerfile.ts';

/** What a Dockerfile makes, in a folder in place of an image. */
export interface BuiltImage {
  /** Where WORKDIR is. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * Does what a Dockerfile says without a container: copies, sets, and runs npm. What it runs to prepare
 * the system is left out.
 */
export function buildImage(dockerfile: string, target: string): BuiltImage {
  const stages = parseDockerfile(dockerfile);
  const built = stages.map((stage, index) => {
    const root = join(target, stage.name ?? String(index));
    return buildStage(stage, root, target);
  });
  const last = built.at(-1);
  if (!last) throw new Error('The Dockerfile has no stage');
  return last;
}

function buildStage(stage: Stage, root: string, target: string): BuiltImage {
  let folder = root;
  let command: readonly string[] = [];
  const environment: Record<string, string> = {};
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') folder = join(root, text);
    mkdirSync(folder, { recursive: true });
    if (name === 'COPY') copy(text, folder, target);
    if (name === 'RUN' && text.startsWith('npm ')) {
      execFileSync('npm', text.split(' ').slice(1), { cwd: folder, stdio: 'inherit' });
    }
    if (name === 'ENV') Object.assign(environment, readVariables(text));
    if (name === 'CMD') command = readExecForm(text);
  }
  return { folder, environment, command };
}

/** As COPY: a folder's content goes into the destination, files go below one that ends with a slash. */
function copy(text: string, folder: string, target: string): void {
  const words = text.split(' ');
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const destination = paths.pop() ?? '';
  for (const path of paths) {
    const source = from === undefined ? path : join(target, from, path);
    if (!existsSync(source)) throw new Error(`COPY names ${path}, which is not there`);
    const into = destination.endsWith('/') ? join(destination, basename(path)) : destination;
    cpSync(source, join(folder, into), { recursive: true, verbatimSymlinks: true });
  }
}

function readVariables(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(' ').map((pair) => {
      const place = pair.indexOf('=');
      return [pair.slice(0, place), pair.slice(place + 1)];
    }),
  );
}
