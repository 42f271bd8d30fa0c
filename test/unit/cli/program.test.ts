import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createProgram } from '../../../src/cli/program.ts';

const documentation = readFileSync('docs/cli.md', 'utf8');
const { commands } = createProgram(new AbortController().signal);
const options = commands.flatMap((command) =>
  command.options.map(({ long, short }) => [command.name(), [long, short]] as const),
);

describe('docs/cli.md', () => {
  it.each(commands.map((command) => command.name()))('has a section about %s', (name) => {
    expect(documentation).toMatch(new RegExp(`^## .*\\b${name}\\b`, 'm'));
  });

  it.each(options)('describes, for %s, the option %j', (_command, names) => {
    expect(names.some((name) => name && documentation.includes(name))).toBe(true);
  });
});
