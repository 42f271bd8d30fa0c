import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import process from 'node:process';

import { CommandError } from '../exit-codes.ts';
import { openInput, readText } from '../files/input-file.ts';
import { toName } from '../files/source.ts';
import { parseRunFile, type ParsedRunFile } from './parse-run-file.ts';

export interface LoadedRunFile extends ParsedRunFile {
  /** Of the file as a whole. */
  readonly name: string;
  /** A path of the file as seen from here; names with `@` stay. */
  readonly resolvePath: (path: string) => string;
}

const defaultFile = 'grounding-eval.yaml';

/** Reads a file, by default `grounding-eval.yaml` in the current folder. Paths in it are relative to it. */
export async function loadRunFile(path: string | undefined): Promise<LoadedRunFile> {
  if (path === undefined && !existsSync(defaultFile)) {
    throw new CommandError(`there is no ${defaultFile} here; name a file: grounding-eval run FILE`);
  }
  const file = path ?? defaultFile;
  const text = await readText(await openInput(file));
  const parsed = parseRunFile(text, file, process.env);
  const folder = file === '-' ? process.cwd() : dirname(resolve(file));
  const stem = basename(file).replace(/\.[^.]+$/, '');
  return {
    ...parsed,
    name: parsed.file.name ?? toName(stem),
    resolvePath: (named) => (named.startsWith('@') ? named : resolve(folder, named)),
  };
}
