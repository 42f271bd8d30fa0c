import type { AnswerRule } from '../../../model/http-search.ts';
import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { createPlaceReader, type ReadPlace } from './read-place.ts';

/** Reads the hits of an answer in their order; undefined: the list of hits is missing. */
export type ReadHits = (answer: unknown) => readonly FoundChunk[] | undefined;

/** `repository` names where the hits come from, for who reads the evidence. */
export function createHitReader(rule: AnswerRule, repository: string): ReadHits {
  const readList = createPlaceReader(rule.hits);
  const readDocumentId = createPlaceReader(rule.documentId);
  const readScore = createOptionalReader(rule.score);
  const readChunkId = createOptionalReader(rule.chunkId);
  const readText = createOptionalReader(rule.text);
  return (answer) => {
    const hits = readList(answer);
    if (!Array.isArray(hits)) return undefined;
    return hits.map((hit: unknown): FoundChunk => {
      const score = readScore(hit);
      const isNumber = typeof score === 'number' && Number.isFinite(score);
      return {
        documentId: toText(readDocumentId(hit)) ?? null,
        hasOtherIds: false,
        source: null,
        chunkId: toText(readChunkId(hit)) ?? null,
        score: isNumber ? score : undefined,
        scoreSource: isNumber ? 'answer' : 'none',
        repository,
        text: toText(readText(hit)) ?? '',
        keys: [],
      };
    });
  };
}

function createOptionalReader(place: AnswerRule['score']): ReadPlace {
  return place === undefined ? () => undefined : createPlaceReader(place);
}

/** Texts and numbers; of a list its first item. */
function toText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'string' && first !== '') return first;
  return typeof first === 'number' ? String(first) : undefined;
}
