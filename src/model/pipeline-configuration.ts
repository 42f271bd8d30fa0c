import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** What every stage that asks a language model says of it. */
const ModelStage = z.object({
  model: z.string(),
  /** Where the model is called; the backend's own, or `default`, unless given. */
  resourceGroup: z.string().optional(),
  destination: z.string().optional(),
  /** The instruction; the service's own unless given. An evaluation's configuration always has it. */
  prompt: z.string().optional(),
  maxTokens: z.number(),
  temperature: z.number().optional(),
  timeoutMs: z.number(),
});
export type ModelStage = Immutable<z.infer<typeof ModelStage>>;

/** Replaces words by the words of the collection. */
const GlossaryRewrite = z.object({
  type: z.literal('glossary'),
  /** Replacement by word. */
  terms: z.record(z.string(), z.string()),
});
export type GlossaryRewrite = Immutable<z.infer<typeof GlossaryRewrite>>;

/** Asks a model for other wordings of the question. */
const LlmRewrite = ModelStage.extend({
  type: z.literal('llm'),
  /** How many, at most. */
  versions: z.number(),
});
export type LlmRewrite = Immutable<z.infer<typeof LlmRewrite>>;

/** Asks a model for a passage that would answer the question, and searches with that. */
const HydeRewrite = ModelStage.extend({ type: z.literal('hyde') });
export type HydeRewrite = Immutable<z.infer<typeof HydeRewrite>>;

/** Asks a model to complete a question by the conversation before it. */
const FollowUpRewrite = ModelStage.extend({ type: z.literal('followUp') });
export type FollowUpRewrite = Immutable<z.infer<typeof FollowUpRewrite>>;

const Rewrite = z.discriminatedUnion('type', [
  GlossaryRewrite,
  LlmRewrite,
  HydeRewrite,
  FollowUpRewrite,
]);
export type Rewrite = Immutable<z.infer<typeof Rewrite>>;

const Fusion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('rrf'), k: z.number() }),
  /** Sums scores that were brought to 0 … 1 within each ranking. */
  z.object({ type: z.literal('scores') }),
]);
export type Fusion = Immutable<z.infer<typeof Fusion>>;

/** What a re-ranker reads of a candidate: all that the asking user may see of the document, or its best chunk. */
const RerankText = z.enum(['document', 'chunk']);
export type RerankText = z.infer<typeof RerankText>;

/** Compares words and, where the collection has a lexicon, concepts. */
const LexicalRerank = z.object({
  type: z.literal('lexical'),
  /** Absent in an evaluation's configuration: it is older than the choice, and reads the chunk. */
  on: RerankText.optional(),
  /** Hits below this score, and hits that were not re-ranked, are left out. */
  minScore: z.number().optional(),
});
export type LexicalRerank = Immutable<z.infer<typeof LexicalRerank>>;

/** Asks a model to order windows of numbered passages, from the last to the first. */
const LlmRerank = ModelStage.extend({
  type: z.literal('llm'),
  /** Passages that the model sees at once. */
  window: z.number(),
  /** How far the next window starts before the last one. */
  step: z.number(),
  /** Absent: the chunk. */
  on: RerankText.optional(),
});
export type LlmRerank = Immutable<z.infer<typeof LlmRerank>>;

/** Scores each passage with a model of this process. */
const CrossEncoderRerank = z.object({
  type: z.literal('crossEncoder'),
  /** A folder of models that the operator made known. */
  model: z.string(),
  /** Absent: the chunk. */
  on: RerankText.optional(),
  /** As of LexicalRerank; a score is the model's output for the pair. */
  minScore: z.number().optional(),
  timeoutMs: z.number(),
});
export type CrossEncoderRerank = Immutable<z.infer<typeof CrossEncoderRerank>>;

const Rerank = z.discriminatedUnion('type', [LexicalRerank, LlmRerank, CrossEncoderRerank]);
export type Rerank = Immutable<z.infer<typeof Rerank>>;

/** The stages around a backend's search. Each is optional. */
export const PipelineConfiguration = z.object({
  /** One way to rewrite the question, or several: each adds versions that are searched beside the question. */
  rewrite: z.union([Rewrite, z.array(Rewrite)]).optional(),
  /** How the rankings of several versions become one; `rrf` with k = 60 unless given. */
  fusion: Fusion.optional(),
  /** How many of the ranking's first are re-ranked; 20 unless given. */
  candidates: z.number().optional(),
  rerank: Rerank.optional(),
  /** How long the search of a version other than the question may take; absent: as long as the backend lets it. */
  versionTimeoutMs: z.number().optional(),
});
export type PipelineConfiguration = Immutable<z.infer<typeof PipelineConfiguration>>;

/** The stage's ways to rewrite, as a list. */
export function listRewrites({ rewrite }: PipelineConfiguration): readonly Rewrite[] {
  return rewrite === undefined ? [] : [rewrite].flat();
}
