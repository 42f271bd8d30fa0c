import process from 'node:process';

import { Command } from 'commander';

import packageJson from '../../package.json' with { type: 'json' };
import { addEvaluating } from './commands/file-commands.ts';
import { addComparing, addScoring } from './commands/ranking-commands.ts';
import type { RunCommand } from './context.ts';
import { createOutput } from './output/output.ts';

/** The commands with their options. What a command does is loaded when it is called, so that help comes at once. */
export function createProgram(signal: AbortSignal): Command {
  const program = new Command('grounding-eval')
    .description('Measures the search step of RAG assistants against labelled questions.')
    .version(packageJson.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows what is possible)');
  const run: RunCommand = async (options, command) => {
    if (!options.color) process.env['NO_COLOR'] = '1';
    process.exitCode = await command({ options, output: createOutput(options), signal });
  };
  addScoring(program, run);
  addComparing(program, run);
  addEvaluating(program, run);
  return program;
}
