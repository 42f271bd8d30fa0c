import process from 'node:process';

import { Command, Option } from 'commander';

import packageJson from '../../package.json' with { type: 'json' };
import type { CompareOptions } from './commands/compare.ts';
import type { ConvertOptions } from './commands/convert.ts';
import type { GateOptions } from './commands/gate.ts';
import type { PoolOptions } from './commands/pool.ts';
import type { RunOptions } from './commands/run.ts';
import type { ScoreOptions } from './commands/score.ts';
import {
  addCommonOptions,
  collect,
  toCount,
  toNumber,
  type CommonOptions,
} from './common-options.ts';
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

  addCommonOptions(program.command('compare'))
    .description('test two runs against each other, question by question')
    .argument('<qrels>', 'judgments')
    .argument('<baseline>', 'rankings')
    .argument('<candidate>', 'rankings')
    .option('-m, --measure <name>', 'a measure (default: nDCG@10); can be repeated', collect)
    .option('--confidence <share>', 'of the interval (default: 0.95)', toNumber(0.5, 0.999))
    .action(async (...[qrels, baseline, candidate, options]: TwoRuns<CompareOptions>) => {
      const { compare } = await import('./commands/compare.ts');
      await run(options, (context) => compare([qrels, baseline, candidate], context));
    });

  addCommonOptions(program.command('gate'))
    .description('decide whether a run may replace a baseline: exit code 0, 1 or 2')
    .argument('<qrels>', 'judgments')
    .argument('<baseline>', 'rankings')
    .argument('<candidate>', 'rankings')
    .option('-m, --measure <name>', 'a measure (default: nDCG@10); can be repeated', collect)
    .option('--max-drop <value>', 'the largest accepted drop of the mean', toNumber(0, 1))
    .option('--minimum <value>', 'a value that the mean must reach', toNumber(0, 1e6))
    .addOption(new Option('--on <end>', 'what must reach it').choices(['interval', 'mean']))
    .addOption(new Option('--strength <kind>').choices(['usual', 'guaranteed']))
    .addOption(inconclusiveOption())
    .option('--label <name>', 'name of the report')
    .action(async (...[qrels, baseline, candidate, options]: TwoRuns<GateOptions>) => {
      const { gate } = await import('./commands/gate.ts');
      await run(options, (context) => gate([qrels, baseline, candidate], context));
    });

  addCommonOptions(program.command('pool'))
    .description('list what to judge next: retrieved documents without a judgment')
    .argument('<qrels>', 'judgments')
    .argument('<run...>', 'rankings')
    .option('--depth <k>', 'how far down the rankings', toCount(1, 1000), 10)
    .action(async (qrels: string, runs: string[], options: PoolOptions) => {
      const { pool } = await import('./commands/pool.ts');
      await run(options, (context) => pool(qrels, runs, context));
    });

  addCommonOptions(program.command('run'))
    .description('evaluate what a file describes, decide its gate and write its reports')
    .argument('[file]', 'YAML or JSON (default: grounding-eval.yaml)')
    .option('--store <file>', 'keep evaluations in a SQLite file: an interrupted run goes on')
    .addOption(inconclusiveOption())
    .action(async (file: string | undefined, options: RunOptions) => {
      const { run: evaluate } = await import('./commands/run.ts');
      await run(options, (context) => evaluate(file, context));
    });

  addCommonOptions(program.command('validate'))
    .description('check a file and every file that it names; search nothing')
    .argument('[file]', 'YAML or JSON (default: grounding-eval.yaml)')
    .action(async (file: string | undefined, options: CommonOptions) => {
      const { validate } = await import('./commands/validate.ts');
      await run(options, (context) => validate(file, context));
    });

  addCommonOptions(program.command('convert'))
    .description('write qrels or a run in another format, by the extension of the new file')
    .argument('<in>', 'a file, or - for standard input')
    .argument('<out>', 'a file: .txt, .csv, .tsv, .json, .ndjson')
    .addOption(new Option('--kind <kind>', 'what the file holds').choices(['qrels', 'run']))
    .action(async (from: string, to: string, options: ConvertOptions) => {
      const { convert } = await import('./commands/convert.ts');
      await run(options, (context) => convert(from, to, context));
    });

  addCommonOptions(program.command('serve'))
    .description('start the service; environment variables configure it')
    .action(async (options: CommonOptions) => {
      const { serve } = await import('./commands/serve.ts');
      await run(options, serve);
    });

  return program;
}

type TwoRuns<Options> = [string, string, string, Options];

function inconclusiveOption(): Option {
  return new Option('--inconclusive <verdict>', 'what an inconclusive gate counts as').choices([
    'report',
    'pass',
    'fail',
  ]);
}
