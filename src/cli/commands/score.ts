import { parseMeasures } from '../../evaluation/measures/resolve-measures.ts';
import { toJudgedForm } from '../../ir/measures/parse-measure.ts';
import { requireFormat, type CommonOptions } from '../common-options.ts';
import type { CommandContext, CommandEnd } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { InputFile } from '../files/input-file.ts';
import { isStored, openSources, toUniqueNames, type Source } from '../files/source.ts';
import { formatScores } from '../score/format-scores.ts';
import type { ScoredRun, ScoreRequest } from '../score/scored-run.ts';
import { scoreTrec } from '../score/score-trec.ts';

export interface ScoreOptions extends CommonOptions {
  readonly measure?: readonly string[];
  readonly question?: boolean;
  readonly judgedOnly?: boolean;
}

const defaultMeasures = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10'];

/** Scores rankings as `trec_eval -c` does. TREC files are scored in columns, other formats and names by the service. */
export async function score(
  qrels: string,
  runs: readonly string[],
  context: CommandContext<ScoreOptions>,
): CommandEnd {
  const { options, output } = context;
  const format = requireFormat(options.format, ['table', 'json', 'markdown', 'csv']);
  const { measure: names = defaultMeasures, question: perQuestion = false } = options;
  const asked = parseMeasures(names, '/measure');
  const measures = options.judgedOnly ? asked.map(toJudgedForm) : asked;
  const sources = await openSources([qrels, ...runs], options.url);
  const request = { names: toUniqueNames(runs), measures, perQuestion };
  const scored = await scoreSources(sources, request, context);
  await output.result(formatScores(scored, format));
  return exitCodes.done;
}

async function scoreSources(
  sources: readonly Source[],
  request: ScoreRequest,
  context: CommandContext<ScoreOptions>,
): Promise<readonly ScoredRun[]> {
  const [qrels, ...runs] = sources;
  if (context.options.url === undefined && qrels && isTrec(qrels) && runs.every(isTrec)) {
    return scoreTrec(qrels, runs, request);
  }
  const { scoreWithService } = await import('../score/score-with-service.ts');
  return scoreWithService(sources, request, context);
}

function isTrec(source: Source): source is InputFile {
  return !isStored(source) && source.format === 'trec';
}
