import { InvalidArgumentError, Option, type Command } from 'commander';

import { CommandError } from './exit-codes.ts';

export const formats = ['table', 'json', 'markdown', 'csv', 'junit', 'html'] as const;
export type Format = (typeof formats)[number];

/** Options of every command. */
export interface CommonOptions {
  /** Of a running service; absent: everything is done in this process. */
  readonly url?: string;
  readonly token?: string;
  readonly serviceKey?: string;
  readonly format: Format;
  readonly out?: string;
  readonly seed?: number;
  readonly quiet?: boolean;
  readonly color: boolean;
}

export function addCommonOptions(command: Command): Command {
  return command
    .option('--url <url>', 'use a running service instead of this process')
    .addOption(new Option('--token <token>', 'access token for --url').env('GROUNDING_EVAL_TOKEN'))
    .option('--service-key <file>', 'XSUAA service key: get a token with its client credentials')
    .addOption(
      new Option('--format <format>', 'format of the result').choices(formats).default('table'),
    )
    .option('--out <file>', 'write the result to a file instead of standard output')
    .option('--seed <n>', 'seed of everything that is drawn', toSeed)
    .option('--quiet', 'print results and errors only')
    .option('--no-color', 'print without colors (also: NO_COLOR=1)');
}

function toSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= 4_294_967_295) return seed;
  throw new InvalidArgumentError('must be a whole number from 0 to 4294967295');
}

/** Of an option that takes a number in a range. */
export function toNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && number >= low && number <= high) return number;
    throw new InvalidArgumentError(`must be a number from ${low} to ${high}`);
  };
}

/** Of an option that takes a whole number in a range. */
export function toCount(low: number, high: number): (text: string) => number {
  const read = toNumber(low, high);
  return (text) => {
    const number = read(text);
    if (Number.isInteger(number)) return number;
    throw new InvalidArgumentError('must be a whole number');
  };
}

/** Of an option that may be given more than once, or with a list. */
export function collect(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...splitList(text)];
}

/** Splits at commas, but not inside brackets: `P(rel=2)@5` is one name. */
function splitList(text: string): readonly string[] {
  return text
    .split(/,(?![^()]*\))/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Refuses a format that a command does not write. */
export function requireFormat<Known extends Format>(
  format: Format,
  known: readonly Known[],
): Known {
  const found = known.find((name) => name === format);
  if (found !== undefined) return found;
  throw new CommandError(`--format ${format}: this command writes ${known.join(', ')}`);
}

/** What an inconclusive gate counts as. */
export function inconclusiveOption(): Option {
  return new Option('--inconclusive <verdict>', 'what an inconclusive gate counts as').choices([
    'report',
    'pass',
    'fail',
  ]);
}
