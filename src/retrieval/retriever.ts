import type { OutcomeChunk, OutcomeNotes, RetrievalCost } from '../model/outcome.ts';
import type { PipelineTrace } from '../model/pipeline-trace.ts';
import type { ConversationTurn } from '../model/question.ts';
import type { WarningText } from '../model/warnings.ts';
import type { QuestionId, DocumentId } from '../ir/ids.ts';

/** A way to search, under evaluation. One implementation for each backend. */
export interface Retriever {
  /**
   * Searches one question. Throws RetrieverError when the search failed: an empty result is no failure.
   * Filters, those of the user included, apply before the search: what they exclude is never looked at.
   */
  retrieve(question: string, options: RetrieveOptions): Promise<Retrieval>;

  /**
   * How many callers more than the wanted number of searches under way it takes to keep that many under way.
   * Only for a retriever that bounds its searches itself. Absent: none.
   */
  readonly spareCallers?: number | undefined;

  /** Whether another service may refuse all searches alike. Absent: none does. */
  readonly mayBeRefused?: boolean | undefined;

  /** Whether the searched collection holds a document. Absent where the backend cannot tell. */
  readonly hasDocument?: ((documentId: DocumentId) => boolean) | undefined;

  /** How many documents are searched. Absent where the backend cannot tell. */
  readonly documents?: number | undefined;

  /** What the searched data lack of what the configuration asks for. Absent where the backend cannot tell. */
  readonly findDataWarnings?: ((asked: AskedUsers) => Promise<readonly WarningText[]>) | undefined;

  /** How many passages are searched. Absent where the backend cannot tell. */
  readonly passages?: number | undefined;

  /** What a judge reads of a chunk. Absent where the backend keeps no texts. */
  readonly findPassage?: ((chunkId: string) => Passage | undefined) | undefined;
}

/** Of the questions that were searched. */
export interface AskedUsers {
  /** Those for whom no search found anything; undefined: the questions without a user. */
  readonly empty: readonly (string | undefined)[];
}

export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface RetrieveOptions {
  /** For backends that look rankings up instead of searching. */
  readonly questionId?: QuestionId | undefined;
  /** How many documents the ranking keeps at most. */
  readonly depth: number;
  /** The name of the asking user, whose conditions are added to every filter. Unknown names fail the search. */
  readonly user?: string | undefined;
  /** What was said before the question, oldest first. */
  readonly history?: readonly ConversationTurn[] | undefined;
  /** Whether hits carry the text of their best chunk, for a stage that reads it. */
  readonly withTexts?: boolean | undefined;
  /** What other variants of the configuration have found out about the question. A backend alone does not look at it. */
  readonly shared?: SharedWork | undefined;
  readonly signal: AbortSignal;
}

/** Work on one question that several configurations need, done once. */
export interface SharedWork {
  /** How deep its searches go. */
  readonly depth: number;
  /** Does the work, or waits for the result of who did it before. A failure is a result too. */
  readonly once: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
}

/** What one search brought back and what it cost. */
export interface Retrieval {
  /** In rank order: best first, each document once, unmapped chunks at the rank they held. */
  readonly hits: readonly RetrievedHit[];
  readonly cost: RetrievalCost;
  /** What a reader should know of how the answer was read. Absent where there is nothing to tell. */
  readonly notes?: OutcomeNotes | undefined;
  /** How a pipeline produced the hits. Absent without a pipeline. */
  readonly trace?: PipelineTrace | undefined;
}

export interface RetrievedHit {
  /** `null`: the chunk's document id could not be read. */
  readonly documentId: DocumentId | null;
  /** The document's best chunk; `null` where a backend knows no chunks. */
  readonly chunkId: string | null;
  /** `null`: the backend gave no score. */
  readonly score: number | null;
  /** The chunks behind the hit, best first. Absent where the backend can show them later by `findPassage`. */
  readonly chunks?: readonly OutcomeChunk[] | undefined;
  /** The best chunk in full, where `withTexts` asked for it. It is never stored. */
  readonly passage?: Passage | undefined;
  /** The whole text behind the hit, where `withTexts` asked for it and the backend knows it. It is never stored. */
  readonly whole?: WholeText | undefined;
}

/** All that the asking user may see of a document: its title and the chunks that the filters let pass. */
export interface WholeText {
  readonly read: () => Passage;
  /** How the local method `rerank` scores it for a question. */
  readonly scoreFor: (question: string) => number;
}

/** Which of an answer's scores a chunk has; `answer`: the only one; `none`: the answer had no score for it. */
export type ScoreSource = 'postProcessing' | 'aggregated' | 'dense' | 'answer' | 'none';
