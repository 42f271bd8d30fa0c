import { describe, expect, it } from 'vitest';

import { completeOrder, parsePermutation } from '../../../../src/ir/reranking/permutation.ts';
import { slideWindows } from '../../../../src/ir/reranking/sliding-windows.ts';
import { findDroppedCodes } from '../../../../src/ir/rewriting/dropped-codes.ts';
import { createGlossary, rewriteByGlossary } from '../../../../src/ir/rewriting/glossary.ts';
import { readLabJson } from '../../../helpers/lab.ts';

interface RewritingLab {
  readonly glossary: Readonly<Record<string, string>>;
  readonly glossaryRewrites: readonly {
    readonly question: string;
    readonly rewrites: readonly string[];
  }[];
  readonly droppedCodes: readonly {
    readonly question: string;
    readonly rewrite: string;
    readonly dropped: readonly string[];
  }[];
  readonly permutations: readonly {
    readonly reply: string;
    readonly candidates: number;
    readonly order: readonly number[];
  }[];
  readonly slidingWindow: {
    readonly candidates: number;
    readonly window: number;
    readonly step: number;
    readonly windows: readonly (readonly [number, number])[];
  };
}

const lab = readLabJson<RewritingLab>('rewriting.json');

describe('the reference of rewriting and re-ranking', () => {
  it.each(lab.glossaryRewrites)('rewrites "$question" by glossary', ({ question, rewrites }) => {
    const rewritten = rewriteByGlossary(question, createGlossary(lab.glossary));

    expect([rewritten ?? []].flat()).toEqual(rewrites);
  });

  it.each(lab.droppedCodes)('finds what "$rewrite" drops', ({ question, rewrite, dropped }) => {
    expect(findDroppedCodes(question, rewrite)).toEqual(dropped);
  });

  it.each(lab.permutations)('reads "$reply" of $candidates', ({ reply, candidates, order }) => {
    expect(completeOrder(parsePermutation(reply, candidates), candidates)).toEqual(order);
  });

  it('slides the windows from the back', () => {
    const { candidates, window, step, windows } = lab.slidingWindow;

    expect(slideWindows(candidates, { window, step })).toEqual(windows);
  });
});
