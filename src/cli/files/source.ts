import { basename } from 'node:path';

import { CommandError } from '../exit-codes.ts';
import { openInput, type InputFile } from './input-file.ts';

/** What an argument names: a file, or with `@` something that a service has. */
export type Source = InputFile | StoredSource;

export interface StoredSource {
  readonly storedName: string;
}

/** Opens what arguments name. Standard input can be named once, and what is stored only with the address of a service. */
export async function openSources(
  paths: readonly string[],
  url: string | undefined,
): Promise<readonly Source[]> {
  const stored = paths.find((path) => path.startsWith('@'));
  if (stored !== undefined && url === undefined) {
    throw new CommandError(`'${stored}' is a name of a service: say which one with --url`);
  }
  if (paths.filter((path) => path === '-').length > 1) {
    throw new CommandError('standard input (-) can be read once only');
  }
  const sources: Source[] = [];
  for (const path of paths) {
    sources.push(path.startsWith('@') ? { storedName: path.slice(1) } : await openInput(path));
  }
  return sources;
}

export function isStored(source: Source): source is StoredSource {
  return 'storedName' in source;
}

/** A name for people by the file's, with letters that every name of the service may have. */
export function toName(path: string): string {
  const base = path === '-' ? 'stdin' : basename(path).replace(/\.gz$/i, '');
  const name = base.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name === '' ? 'file' : name.slice(0, 64);
}

/** Names by the files', told apart where two are alike. */
export function toUniqueNames(paths: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const path of paths) {
    const name = toName(path);
    let unique = name;
    for (let number = 2; names.includes(unique); number += 1) {
      unique = `${name.slice(0, 60)}-${number}`;
    }
    names.push(unique);
  }
  return names;
}
