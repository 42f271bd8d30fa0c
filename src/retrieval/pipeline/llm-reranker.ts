import { completeOrder, parsePermutation } from '../../ir/reranking/permutation.ts';
import { slideWindows } from '../../ir/reranking/sliding-windows.ts';
import type { Passage } from '../retriever.ts';
import { cutText, declareData, onOneLine, withoutTags } from './declared-data.ts';
import type { Reranker } from './reranker.ts';
import { askModel, type StageModel } from './stage-model.ts';
import { StageFailure } from './stage-run.ts';

/** Characters of a passage, its title included, that the model is shown. */
const maxPassageLength = 2000;

/**
 * Lets a language model order windows of numbered passages, from the last to the first. Its reply is data:
 * only the numbers of the window count, and a window of which it names none ends the stage.
 */
export function createLlmReranker(
  model: StageModel,
  windows: { readonly window: number; readonly step: number },
): Reranker {
  return {
    async rerank(question, candidates, run) {
      const order = candidates.map((_passage, place) => place);
      for (const [start, end] of slideWindows(candidates.length, windows)) {
        const shown = order.slice(start, end);
        const passages = shown.flatMap((place) => candidates[place] ?? []);
        const reply = await askModel(model, declareWindow(question, passages), run);
        const named = parsePermutation(reply, shown.length);
        if (named.length === 0) {
          throw new StageFailure('unusable-reply', 'The reply of the model names no passage');
        }
        const ordered = completeOrder(named, shown.length).flatMap((place) => shown[place] ?? []);
        order.splice(start, ordered.length, ...ordered);
      }
      return { order };
    },
  };
}

function declareWindow(question: string, passages: readonly Passage[]): string {
  const lines = passages.map((passage, index) => `[${index + 1}] ${toLine(passage)}`);
  return [
    declareData('question', withoutTags(question)),
    declareData('passages', lines.join('\n')),
    `Order the ${passages.length} passages.`,
  ].join('\n');
}

/** A passage that cannot end its line or imitate another's number. */
function toLine({ title, text }: Passage): string {
  const whole = title === '' ? text : `${title}. ${text}`;
  return onOneLine(cutText(whole, maxPassageLength)).replace(/\[(\s*\p{N}+\s*)\]/gu, '($1)');
}
