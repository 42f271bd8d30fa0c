import { lossCauses } from '../../ir/funnel/lost-documents.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { isFinished } from '../lifecycle/describe-evaluation.ts';
import { findPareto, type Pareto, type ParetoConfiguration } from '../analysis/find-pareto.ts';
import { escape, table } from './markdown.ts';
import { readAblation, type Ablation } from '../analysis/read-ablation.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';

/** The section of a report about the steps of a search, if there is anything to report. */
export interface FunnelReport {
  readonly pareto: Pareto | null;
  readonly ablations: readonly Ablation[];
}

/** Questions that a report lists for each stage; the endpoint has them all. */
const listedQuestions = 5;

export async function readFunnelReport(
  sources: { readonly db: Database; readonly memory: ResultCache },
  evaluation: StoredEvaluation,
): Promise<FunnelReport> {
  const rows = evaluation.scorecard ?? [];
  const measures = resolveMeasures(evaluation.plan);
  const measure =
    measures.find(({ family }) => family === 'nDCG') ??
    measures.find(({ family }) => family !== 'judged');
  if (!measure || !isFinished(evaluation)) return { pareto: null, ablations: [] };
  const isCostly = rows.length > 1 && rows.some(({ latencyMs }) => latencyMs !== null);
  const against = ['latency', 'calls'] as const;
  const pareto = isCostly ? await findPareto(sources, evaluation.id, { measure, against }) : null;
  const ablations: Ablation[] = [];
  for (const { configuration } of evaluation.plan.ablations ?? []) {
    const request = { configuration, measure, limit: listedQuestions };
    ablations.push(await readAblation(sources, evaluation.id, request));
  }
  return { pareto, ablations };
}

/** The sections, each a list of lines. */
export function reportFunnel(
  rows: readonly ScorecardRow[],
  { pareto, ablations }: FunnelReport,
): string[][] {
  const diagnosed = rows.flatMap(({ configuration, diagnosis }) =>
    diagnosis ? [{ configuration, diagnosis }] : [],
  );
  return [
    ...ablations.map(reportAblation),
    diagnosed.length > 0 ? reportDiagnoses(diagnosed) : [],
    pareto ? reportPareto(pareto) : [],
  ];
}

function reportAblation({ configuration, measure, variants, steps }: Ablation): string[] {
  const k = variants[0]?.funnel.k ?? 0;
  return [
    `## Stages of ${escape(configuration)}, on and off`,
    '',
    ...table(
      ['variant', measure, 'relevant', 'found', `in top ${k}`, 'p95 ms', 'calls per question'],
      variants.map(({ variant, mean, funnel, latencyP95Ms, callsPerQuestion }) => [
        variant,
        toText(mean, 4),
        String(funnel.relevant),
        String(funnel.found),
        String(funnel.inTopK),
        toText(latencyP95Ms, 1),
        toText(callsPerQuestion, 2),
      ]),
    ),
    '',
    ...steps.map(({ stage, from, to, meanDifference, gained, lost }) => {
      const ids = [...gained.questions, ...lost.questions].map(({ id, difference }) => {
        return `${escape(id)} ${difference > 0 ? '+' : ''}${difference.toFixed(3)}`;
      });
      const list = ids.length > 0 ? ` (${ids.join(', ')})` : '';
      return `- ${stage}, ${from} to ${to}: ${toText(meanDifference, 4)} on average, gained ${gained.count}, lost ${lost.count}${list}`;
    }),
  ];
}

function reportDiagnoses(
  diagnosed: readonly { readonly configuration: string; readonly diagnosis: Diagnosis }[],
): string[] {
  return [
    `## Where relevant documents are lost (top ${diagnosed[0]?.diagnosis.k ?? 0})`,
    '',
    ...table(
      ['configuration', 'relevant', 'lost', ...lossCauses],
      diagnosed.map(({ configuration, diagnosis: { relevant, lost, causes } }) => [
        escape(configuration),
        String(relevant),
        String(lost),
        ...lossCauses.map((cause) => String(causes[cause].documents)),
      ]),
    ),
    ...diagnosed.flatMap(({ configuration, diagnosis: { advice } }) => [
      '',
      `**${escape(configuration)}**`,
      '',
      ...advice.map((sentence) => `- ${escape(sentence)}`),
    ]),
  ];
}

function reportPareto({ measure, questions, prices, configurations }: Pareto): string[] {
  const cost = prices ? [`cost per question (${prices.currency}, prices ${prices.version})`] : [];
  const rest = [...cost, 'failed', 'verdict'];
  return [
    '## Quality versus latency and calls',
    '',
    `Over the ${questions} questions that every configuration scored. Latencies within 5 % or 1 ms, and calls within 5 %, count as equal.`,
    '',
    ...table(
      ['configuration', measure, 'interval', 'p95 ms', 'calls per question', ...rest],
      configurations.map((each) => [
        escape(each.configuration),
        toText(each.quality, 4),
        each.interval
          ? `${each.interval.low.toFixed(4)} to ${each.interval.high.toFixed(4)}`
          : unknown,
        toText(each.latencyP95Ms, 1),
        toText(each.callsPerQuestion, 2),
        ...cost.map(() => toText(each.costPerQuestion, 6)),
        String(each.failed),
        tellStanding(each),
      ]),
    ),
  ];
}

function tellStanding({
  isOnFront,
  dominatedBy,
  possiblyDominatedBy,
}: ParetoConfiguration): string {
  if (isOnFront === true) return 'none is both better and faster';
  if (isOnFront === null) {
    return `unknown, possibly as good and faster: ${possiblyDominatedBy.map(escape).join(', ')}`;
  }
  return `no worse, and better, faster or failing less: ${dominatedBy.map(escape).join(', ')}`;
}

const unknown = 'unknown';

function toText(value: number | null, digits: number): string {
  return value === null ? unknown : value.toFixed(digits);
}
