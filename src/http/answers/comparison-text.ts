import { Readable } from 'node:stream';

import type { RunComparison } from '../../evaluation/comparison/compare-on.ts';
import { inBlocks, jsonParts, mapStream } from './streams.ts';

/** Writes one comparison, its questions as they are read. */
export function streamComparison(comparison: RunComparison): Readable {
  return Readable.from(inBlocks(toParts(comparison)));
}

/** Writes many in one answer, which may be longer than the memory is large. */
export function streamFamily(comparisons: readonly RunComparison[]): Readable {
  return Readable.from(inBlocks(toFamilyParts(comparisons)));
}

async function* toFamilyParts(comparisons: readonly RunComparison[]): AsyncGenerator<string> {
  yield '{"comparisons":[';
  for (const [index, comparison] of comparisons.entries()) {
    if (index > 0) yield ',';
    yield* toParts(comparison);
  }
  yield ']}';
}

function toParts({ perQuestion, ...head }: RunComparison): AsyncGenerator<string> {
  const entries = mapStream(perQuestion, (question) => JSON.stringify(question));
  return jsonParts(head, 'perQuestion', { brackets: '[]', entries });
}
