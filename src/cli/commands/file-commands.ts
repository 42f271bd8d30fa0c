import type { Command } from 'commander';

import { addCommonOptions, inconclusiveOption, type CommonOptions } from '../common-options.ts';
import type { RunCommand } from '../context.ts';
import type { RunOptions } from './run.ts';

/** The commands over a file that says what is evaluated, and the service. */
export function addEvaluating(program: Command, run: RunCommand): void {
  addCommonOptions(program.command('run'))
    .description('evaluate what a file describes, decide its gate and write its reports')
    .argument('[file]', 'YAML or JSON (default: grounding-eval.yaml)')
    .option('--store <file>', 'keep evaluations in a SQLite file: an interrupted run goes on')
    .addOption(inconclusiveOption())
    .action(async (file: string | undefined, options: RunOptions) => {
      const { run: evaluate } = await import('./run.ts');
      await run(options, (context) => evaluate(file, context));
    });

  addCommonOptions(program.command('validate'))
    .description('check a file and every file that it names; search nothing')
    .argument('[file]', 'YAML or JSON (default: grounding-eval.yaml)')
    .action(async (file: string | undefined, options: CommonOptions) => {
      const { validate } = await import('./validate.ts');
      await run(options, (context) => validate(file, context));
    });

  addCommonOptions(program.command('serve'))
    .description('start the service; environment variables configure it')
    .action(async (options: CommonOptions) => {
      const { serve } = await import('./serve.ts');
      await run(options, serve);
    });
}
