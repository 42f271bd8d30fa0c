import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { styleText } from 'node:util';

import type { CommonOptions } from '../common-options.ts';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes: results to standard output or a file, everything else to standard error. */
export interface Output {
  /** A result. With `--out` it goes to that file. */
  readonly result: (text: string) => Promise<void>;
  /** A line for people, left out with `--quiet`. */
  readonly note: (line: string) => void;
  /** Text in a style, where the results go to a terminal that shows it. */
  readonly styled: (style: Style, text: string) => string;
}

export function createOutput({ out, quiet }: Pick<CommonOptions, 'out' | 'quiet'>): Output {
  return {
    async result(text) {
      if (out === undefined) await write(process.stdout, text);
      else await writeResultFile(out, text);
    },
    note(line) {
      if (quiet !== true) process.stderr.write(`${line}\n`);
    },
    styled(style, text) {
      return out === undefined ? styleText(style, text, { stream: process.stdout }) : text;
    },
  };
}

/** Makes the folders on the way, as a report's folder is rarely there in a fresh checkout. */
export async function writeResultFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Waits until the text is handed over; what a closed pipe refuses counts as that. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
