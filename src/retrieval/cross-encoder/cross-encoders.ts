import { RetrieverError } from '../../errors.ts';
import type { Reranker } from '../pipeline/reranker.ts';
import type { Passage } from '../retriever.ts';
import { createEncoderThread, type EncodedPairs, type EncoderTask } from './encoder-thread.ts';
import { findFolder, findModelIssue } from './model-folder.ts';

/** Re-rankers that read a question and a passage together, with models of this machine. */
export interface CrossEncoders {
  /** Why that model cannot be used; undefined: nothing is known against it. Loads nothing. */
  readonly findObstacle: (model: string) => string | undefined;
  /** The model is loaded when the first passages come. */
  readonly createReranker: (model: string) => Reranker;
}

/** Longer texts are cut here, before the model cuts both together at its own length. */
const maxQuestionLength = 1000;
const maxPassageLength = 4000;

/** Pairs that are scored in one batch; between batches, a question can be aborted. */
const pairsAtOnce = 8;

/** `root` holds the models' folders; undefined: there are none. */
export function createCrossEncoders(root: string | undefined): CrossEncoders {
  const thread = createEncoderThread();

  function getFolder(model: string): string {
    const issue = findModelIssue(root, model);
    const folder = root === undefined ? undefined : findFolder(root, model);
    if (issue === undefined && folder !== undefined) return folder;
    throw new RetrieverError(
      'retriever-failed',
      issue ?? `Cross-encoder '${model}' does not exist`,
    );
  }

  async function score(model: string, task: Omit<EncoderTask, 'id'>): Promise<EncodedPairs> {
    return thread.score(task).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `Cross-encoder '${model}' cannot score passages: ${reason}`;
      throw new RetrieverError('retriever-failed', message, { cause });
    });
  }

  return {
    findObstacle: (model) => findModelIssue(root, model),
    createReranker: (model) => ({
      async rerank(question, candidates, { signal, meter }) {
        const folder = getFolder(model);
        const scores: number[] = [];
        for (let start = 0; start < candidates.length; start += pairsAtOnce) {
          signal.throwIfAborted();
          const passages = candidates.slice(start, start + pairsAtOnce).map(toText);
          const task = { folder, question: cut(question, maxQuestionLength), passages };
          const { logits, computedMs } = await score(model, task);
          scores.push(...logits);
          meter.add({ latencyMs: computedMs });
        }
        return { order: orderByScore(scores), scores };
      },
    }),
  };
}

/** Equal scores leave the candidates in their order. */
function orderByScore(scores: readonly number[]): readonly number[] {
  const places = scores.map((score, place) => ({ score, place }));
  return places.toSorted((a, b) => b.score - a.score).map(({ place }) => place);
}

function toText({ title, text }: Passage): string {
  return cut(title === '' ? text : `${title}\n${text}`, maxPassageLength);
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).toWellFormed() : text;
}
