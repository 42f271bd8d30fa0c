import { RetrieverError } from '../errors.ts';
import type { RetrievedHit, Retriever } from '../retrieval/retriever.ts';
import type { Outcome } from '../storage/outcomes.ts';
import type { PositionedQuestion } from '../storage/question-sets.ts';

/** An outcome, but for the place of its configuration. */
export type SearchedOutcome = Omit<Outcome, 'configuration'>;

/** Searches one question. A search that fails is an outcome too; anything else that goes wrong is thrown. */
export async function searchQuestion(
  retriever: Retriever,
  { position, question }: PositionedQuestion,
  options: {
    readonly depth: number;
    readonly signal: AbortSignal;
    readonly storeSnippets: boolean;
  },
): Promise<SearchedOutcome> {
  const { depth, signal, storeSnippets } = options;
  const { id: questionId, text, user } = question;
  const about = { question: position, questionId };
  try {
    const found = await retriever.retrieve(text, { questionId, depth, user, signal });
    const hits = storeSnippets ? found.hits : found.hits.map(withoutChunks);
    return { ...about, ...found.cost, hits, notes: found.notes, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RetrieverError)) throw error;
    const { code, message: detail, attempts, requestId } = error;
    const nothing = { hits: null, attempts, latencyMs: 0, pairsReranked: 0, modelCalls: 0 };
    return { ...about, ...nothing, error: { code, detail, requestId } };
  }
}

function withoutChunks({ documentId, chunkId, score }: RetrievedHit): RetrievedHit {
  return { documentId, chunkId, score };
}
