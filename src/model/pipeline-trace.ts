import type { Ranking } from '../ir/run.ts';

/** How a pipeline turned a question into a ranking: document ids, counts and times. */
export interface PipelineTrace {
  /** What was searched: the question first, then its other versions in the order they were made. */
  readonly versions: readonly SearchedVersion[];
  /** The ranking that all versions together gave; absent where one version alone was searched. */
  readonly fused?: Ranking | undefined;
  /** How many of the ranking's first the re-ranker was given; absent without re-ranking. */
  readonly candidates?: number | undefined;
  /** Those candidates in the order that re-ranking gave them; absent where it gave none. */
  readonly reranked?: Ranking | undefined;
  /** The re-ranker's scores of those, in the same order; absent where it gives none. */
  readonly scores?: readonly number[] | undefined;
  /** What the stage's `minScore` left out; absent without one, and where the stage was left out. */
  readonly cut?: MinScoreCut | undefined;
  readonly stages: readonly StageCost[];
  /** The stages that failed or were late, and what was left out for it. */
  readonly fallbacks: readonly StageFallback[];
}

/** Hits that a minimum score of the re-ranker left out of the ranking. */
export interface MinScoreCut {
  readonly minScore: number;
  /** Candidates that scored less. */
  readonly below: number;
  /** Hits behind the candidates: they have no score of the re-ranker. */
  readonly notReranked: number;
}

export const versionKinds = ['original', 'glossary', 'llm', 'hyde', 'followUp'] as const;
export type VersionKind = (typeof versionKinds)[number];

export interface SearchedVersion {
  readonly kind: VersionKind;
  /** Absent for the original, which is the question, and for a hypothetical passage, which is never shown. */
  readonly text?: string | undefined;
  /** Tokens with a digit that the question has and this version lacks, in lower case. Absent: none. */
  readonly droppedCodes?: readonly string[] | undefined;
  /** `null`: its search failed, and the others went on without it. */
  readonly ranking: Ranking | null;
}

export const pipelineStages = ['rewrite', 'search', 'fusion', 'rerank'] as const;
export type PipelineStage = (typeof pipelineStages)[number];

/** What one stage of one question cost. A stage of several parts, such as two rewritings, has an entry for each. */
export interface StageCost {
  readonly stage: PipelineStage;
  /** Which kind of it: `llm`, `rrf`. For searches: the backend. */
  readonly type: string;
  /** Of parallel searches: the slowest. */
  readonly latencyMs: number;
  readonly searches: number;
  readonly pairsReranked: number;
  readonly modelCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The start of the prompt's SHA-256. Absent where nothing was prompted. */
  readonly promptHash?: string | undefined;
  /** What the model replied, in the order of its calls. Absent where nothing was asked or replies are not stored. */
  readonly replies?: StageReplies | undefined;
}

/** The replies of a stage's model, bounded in size. */
export interface StageReplies {
  /** A reply that is too long ends with an ellipsis. */
  readonly texts: readonly string[];
  /** Replies behind those: all together would be too long. */
  readonly omitted: number;
}

export interface StageFallback {
  readonly stage: PipelineStage;
  /** As in StageCost; for a search that failed: the kind of the version. */
  readonly type: string;
  /** `timeout`, `failed`, `unusable-reply`, … */
  readonly code: string;
  /** In words, without any text of the question or the documents. */
  readonly detail: string;
}

/** The total cost of stages that run in sequence. */
export function addUpStages(
  stages: readonly StageCost[],
): Omit<StageCost, 'stage' | 'type' | 'promptHash' | 'replies'> {
  return {
    latencyMs: addUp(stages.map(({ latencyMs }) => latencyMs)),
    searches: addUp(stages.map(({ searches }) => searches)),
    pairsReranked: addUp(stages.map(({ pairsReranked }) => pairsReranked)),
    modelCalls: addUp(stages.map(({ modelCalls }) => modelCalls)),
    promptTokens: addUp(stages.map(({ promptTokens }) => promptTokens)),
    completionTokens: addUp(stages.map(({ completionTokens }) => completionTokens)),
  };
}

function addUp(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
