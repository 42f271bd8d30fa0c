import type { Measure } from '../../ir/measures/measure.ts';
import type { PipelineTrace } from '../../model/pipeline-trace.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import {
  type RankedResult,
  tellWithRequestId,
  toRankedResults,
} from '../scoring/list-question-results.ts';
import { usualAverage } from '../../model/average-rule.ts';
import { createRankingWarnings } from '../warnings/ranking-warnings.ts';
import { findFacts } from '../scoring/question-facts.ts';
import { searchQuestion } from '../searching/search-question.ts';
import type { Warning } from '../../model/warnings.ts';
import type { OutcomeNotes, OutcomeError } from '../../model/outcome.ts';

/** One question sent by one configuration, and how its answer was read. */
export interface Probe {
  readonly configuration: string;
  readonly question: { readonly id: string; readonly text: string };
  readonly error: OutcomeError | null;
  readonly attempts: number;
  readonly latencyMs: number;
  /** Null: the search failed, or its backend does not report how the answer was read. */
  readonly reading: OutcomeNotes | null;
  readonly documentIds: readonly string[];
  readonly ranking: readonly RankedResult[];
  /** Absent where a backend alone was asked. */
  readonly pipeline?: PipelineTrace | undefined;
  readonly warnings: readonly Warning[];
}

export async function probeConfiguration(
  retriever: Retriever,
  asked: PositionedQuestion,
  {
    name,
    configuration,
    measures,
    signal,
  }: {
    readonly name: string;
    readonly configuration: SearchConfiguration;
    readonly measures: readonly Measure[];
    readonly signal: AbortSignal;
  },
): Promise<Probe> {
  const { question } = asked;
  const options = { depth: configuration.depth, signal, storeSnippets: true };
  const outcome = { ...(await searchQuestion(retriever, asked, options)), configuration: 0 };
  const maxGrade = Math.max(1, ...question.judgments.map(({ grade }) => grade));
  const warnings = createRankingWarnings({
    configuration,
    measures,
    average: usualAverage,
    documents: retriever.documents,
    hasDocument: retriever.hasDocument,
  });
  const scale = { measures, maxGrade, average: usualAverage, withUncertainty: true };
  warnings.add(question, outcome, findFacts(question, outcome, scale));
  const ranking = toRankedResults(question, outcome);
  return {
    configuration: name,
    question: { id: question.id, text: question.text },
    error: outcome.error && tellWithRequestId(outcome.error),
    attempts: outcome.attempts,
    latencyMs: outcome.latencyMs,
    reading: outcome.notes ?? null,
    documentIds: ranking.flatMap(({ documentId }) => documentId ?? []),
    ranking,
    ...(outcome.trace && { pipeline: outcome.trace }),
    warnings: warnings.toList({ questions: 0, documents: 0 }),
  };
}
