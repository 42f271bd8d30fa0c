import process from 'node:process';

import { Command } from 'commander';

import packageJson from '../../package.json' with { type: 'json' };
import type { ScoreOptions } from './commands/score.ts';
import { addCommonOptions, collect, type CommonOptions } from './common-options.ts';
import type { CommandContext, CommandEnd } from './context.ts';
import { createOutput } from './output/output.ts';

/** The commands with their options. What a command does is loaded when it is called, so that help comes at once. */
export function createProgram(signal: AbortSignal): Command {
  const program = new Command('grounding-eval')
    .description('Measures the search step of RAG assistants against labelled questions.')
    .version(packageJson.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows what is possible)');

  const run = async <Options extends CommonOptions>(
    options: Options,
    command: (context: CommandContext<Options>) => CommandEnd,
  ): Promise<void> => {
    if (!options.color) process.env['NO_COLOR'] = '1';
    process.exitCode = await command({ options, output: createOutput(options), signal });
  };

  addCommonOptions(program.command('score'))
    .description('print the measures of rankings, in the order and with the values of trec_eval -c')
    .argument('<qrels>', 'judgments: a file, - for standard input, or @NAME with --url')
    .argument('<run...>', 'rankings')
    .option('-m, --measure <name>', 'a measure, such as nDCG@10; can be repeated', collect)
    .option('-q, --question', 'print each question too')
    .action(async (qrels: string, runs: string[], options: ScoreOptions) => {
      const { score } = await import('./commands/score.ts');
      await run(options, (context) => score(qrels, runs, context));
    });

  return program;
}
