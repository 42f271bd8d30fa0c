import { Option, type Command } from 'commander';

import {
  addCommonOptions,
  collect,
  inconclusiveOption,
  toCount,
  toNumber,
} from '../common-options.ts';
import type { RunCommand } from '../context.ts';
import type { CompareOptions } from './compare.ts';
import type { ConvertOptions } from './convert.ts';
import type { GateOptions } from './gate.ts';
import type { PoolOptions } from './pool.ts';
import type { ScoreOptions } from './score.ts';

type TwoRuns<Options> = [string, string, string, Options];

/** The commands that score rankings. */
export function addScoring(program: Command, run: RunCommand): void {
  addCommonOptions(program.command('score'))
    .description('print the measures of rankings, in the order and with the values of trec_eval -c')
    .argument('<qrels>', 'judgments: a file, - for standard input, or @NAME with --url')
    .argument('<run...>', 'rankings')
    .option('-m, --measure <name>', 'a measure, such as nDCG@10; can be repeated', collect)
    .option('-q, --question', 'print each question too')
    .option(
      '-J, --judged-only',
      'remove unjudged documents from the rankings first, as trec_eval -J',
    )
    .action(async (qrels: string, runs: string[], options: ScoreOptions) => {
      const { score } = await import('./score.ts');
      await run(options, (context) => score(qrels, runs, context));
    });

  addCommonOptions(program.command('pool'))
    .description('list what to judge next: retrieved documents without a judgment')
    .argument('<qrels>', 'judgments')
    .argument('<run...>', 'rankings')
    .option('--depth <k>', 'how far down the rankings', toCount(1, 1000), 10)
    .action(async (qrels: string, runs: string[], options: PoolOptions) => {
      const { pool } = await import('./pool.ts');
      await run(options, (context) => pool(qrels, runs, context));
    });

  addCommonOptions(program.command('convert'))
    .description('write a file in another format, by the extension of the new file')
    .argument('<in>', 'a file, or - for standard input')
    .argument('<out>', 'a file: .txt, .csv, .tsv, .json, .ndjson')
    .addOption(
      new Option('--kind <kind>', 'what the file holds').choices([
        'qrels',
        'run',
        'documents',
        'topics',
      ]),
    )
    .action(async (from: string, to: string, options: ConvertOptions) => {
      const { convert } = await import('./convert.ts');
      await run(options, (context) => convert(from, to, context));
    });
}

/** The commands that hold two runs against each other. */
export function addComparing(program: Command, run: RunCommand): void {
  addCommonOptions(program.command('compare'))
    .description('test two runs against each other, question by question')
    .argument('<qrels>', 'judgments')
    .argument('<baseline>', 'rankings')
    .argument('<candidate>', 'rankings')
    .option('-m, --measure <name>', 'a measure (default: nDCG@10); can be repeated', collect)
    .option('--confidence <share>', 'of the interval (default: 0.95)', toNumber(0.5, 0.999))
    .action(async (...[qrels, baseline, candidate, options]: TwoRuns<CompareOptions>) => {
      const { compare } = await import('./compare.ts');
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
      const { gate } = await import('./gate.ts');
      await run(options, (context) => gate([qrels, baseline, candidate], context));
    });
}
