/** The stages around a backend's search. Each is optional. */
export interface PipelineConfiguration {
  /** One way to rewrite the question, or several: each adds versions that are searched beside the question. */
  readonly rewrite?: Rewrite | readonly Rewrite[] | undefined;
  /** How the rankings of several versions become one; `rrf` with k = 60 unless given. */
  readonly fusion?: Fusion | undefined;
  /** How many of the ranking's first are re-ranked; 20 unless given. */
  readonly candidates?: number | undefined;
  readonly rerank?: Rerank | undefined;
  /** How long the search of a version other than the question may take; absent: as long as the backend lets it. */
  readonly versionTimeoutMs?: number | undefined;
}

export type Rewrite = GlossaryRewrite | LlmRewrite | HydeRewrite | FollowUpRewrite;

/** Replaces words by the words of the collection. */
export interface GlossaryRewrite {
  readonly type: 'glossary';
  /** Replacement by word. */
  readonly terms: Readonly<Record<string, string>>;
}

/** What every stage that asks a language model says of it. */
export interface ModelStage {
  readonly model: string;
  /** Where the model is called; the backend's own, or `default`, unless given. */
  readonly resourceGroup?: string | undefined;
  readonly destination?: string | undefined;
  /** The instruction; the service's own unless given. An evaluation's configuration always has it. */
  readonly prompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly timeoutMs: number;
}

/** Asks a model for other wordings of the question. */
export interface LlmRewrite extends ModelStage {
  readonly type: 'llm';
  /** How many, at most. */
  readonly versions: number;
}

/** Asks a model for a passage that would answer the question, and searches with that. */
export interface HydeRewrite extends ModelStage {
  readonly type: 'hyde';
}

/** Asks a model to complete a question by the conversation before it. */
export interface FollowUpRewrite extends ModelStage {
  readonly type: 'followUp';
}

export type Fusion =
  | { readonly type: 'rrf'; readonly k: number }
  /** Sums scores that were brought to 0 … 1 within each ranking. */
  | { readonly type: 'scores' };

export type Rerank = LexicalRerank | LlmRerank | CrossEncoderRerank;

/** What a re-ranker reads of a candidate: all that the asking user may see of the document, or its best chunk. */
export type RerankText = 'document' | 'chunk';

/** Compares words and, where the collection has a lexicon, concepts. */
export interface LexicalRerank {
  readonly type: 'lexical';
  /** Absent in an evaluation's configuration: it is older than the choice, and reads the chunk. */
  readonly on?: RerankText | undefined;
  /** Hits below this score, and hits that were not re-ranked, are left out. */
  readonly minScore?: number | undefined;
}

/** Asks a model to order windows of numbered passages, from the last to the first. */
export interface LlmRerank extends ModelStage {
  readonly type: 'llm';
  /** Passages that the model sees at once. */
  readonly window: number;
  /** How far the next window starts before the last one. */
  readonly step: number;
  /** Absent: the chunk. */
  readonly on?: RerankText | undefined;
}

/** Scores each passage with a model of this process. */
export interface CrossEncoderRerank {
  readonly type: 'crossEncoder';
  /** A folder of models that the operator made known. */
  readonly model: string;
  /** Absent: the chunk. */
  readonly on?: RerankText | undefined;
  /** As of LexicalRerank; a score is the model's output for the pair. */
  readonly minScore?: number | undefined;
  readonly timeoutMs: number;
}

/** The stage's ways to rewrite, as a list. */
export function listRewrites({ rewrite }: PipelineConfiguration): readonly Rewrite[] {
  return rewrite === undefined ? [] : [rewrite].flat();
}
