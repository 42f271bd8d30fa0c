import { RetrieverError } from '../../errors.ts';
import { addUpStages, type PipelineTrace } from '../../model/pipeline-trace.ts';
import { type RetrievedHit, type Retriever, type SharedWork } from '../../retrieval/retriever.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { type Outcome, noCost } from '../../model/outcome.ts';

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
    readonly shared?: SharedWork | undefined;
  },
): Promise<SearchedOutcome> {
  const { depth, signal, storeSnippets, shared } = options;
  const { id: questionId, text, user, history } = question;
  const about = { question: position, questionId };
  try {
    const asked = { questionId, depth, user, history, signal, shared };
    const found = await retriever.retrieve(text, asked);
    const hits = storeSnippets ? found.hits : found.hits.map(withoutChunks);
    const { notes, cost } = found;
    const trace = storeSnippets ? found.trace : withoutReplies(found.trace);
    return { ...about, ...cost, hits, notes, trace, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RetrieverError)) throw error;
    const { code, message: detail, attempts, requestId, trace } = error;
    const spent = trace
      ? addUpStages(trace.stages)
      : { ...noCost, searches: Math.min(1, attempts) };
    const cost = { ...spent, attempts, latencyMs: 0 };
    const kept = storeSnippets ? trace : withoutReplies(trace);
    return { ...about, ...cost, hits: null, trace: kept, error: { code, detail, requestId } };
  }
}

/** A model's reply may repeat what the model was shown. */
function withoutReplies(trace: PipelineTrace | undefined): PipelineTrace | undefined {
  return (
    trace && { ...trace, stages: trace.stages.map(({ replies: _replies, ...stage }) => stage) }
  );
}

function withoutChunks({ documentId, chunkId, score }: RetrievedHit): RetrievedHit {
  return { documentId, chunkId, score };
}
