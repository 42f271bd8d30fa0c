import { createGlossary, rewriteByGlossary } from '../../ir/rewriting/glossary.ts';
import type { Rewriter } from './rewrite-question.ts';

/** Replaces the words of a question that a glossary has others for. */
export function createGlossaryRewriter(terms: Readonly<Record<string, string>>): Rewriter {
  const glossary = createGlossary(terms);
  return {
    type: 'glossary',
    async rewrite({ question }) {
      const rewritten = rewriteByGlossary(question, glossary);
      return rewritten === undefined ? [] : [rewritten];
    },
  };
}
