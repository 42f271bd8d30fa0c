import type { Command } from 'commander';

import {
  addCommonOptions,
  inconclusiveOption,
  toCount,
  type CommonOptions,
} from '../common-options.ts';
import type { RunCommand } from '../context.ts';
import type { RunOptions } from './run.ts';
import type { StubOptions } from './stub.ts';

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

  addCommonOptions(program.command('stub'))
    .description(
      'run a stand-in for SAP AI Core, for tests in any language; prints its service key',
    )
    .requiredOption('--corpus <file>', 'the documents that it finds (JSON or NDJSON)')
    .option('--port <n>', 'default: a free one', toCount(1, 65_535))
    .option('--document-id-key <key>', 'metadata key of a document id (default: docId)')
    .action(async (options: StubOptions) => {
      const { stub } = await import('./stub.ts');
      await run(options, stub);
    });

  addCommonOptions(program.command('serve'))
    .description('start the service; environment variables configure it')
    .action(async (options: CommonOptions) => {
      const { serve } = await import('./serve.ts');
      await run(options, serve);
    });
}
