import type { Reranker } from '../../pipeline/reranker.ts';
import { plainAnalyzer } from '../../../ir/analyzer.ts';
import { compileLexicon, type TermReading, toTerms } from './lexicon.ts';
import { countConceptsOf, readQuestion } from './local-question.ts';
import { sumOfSquares, toCosine } from './similarity.ts';
import { tokenize } from '../../../ir/tokenize.ts';

/**
 * Scores each passage as the local method `rerank` scores a document: the cosine of the concept counts + 0.3 ×
 * the share of the question's distinct terms that the passage holds. Without a lexicon there are no concepts.
 * A whole document is scored by the method itself. Ties keep the order they came in.
 */
export function createLexicalReranker({ lexicon, analyzer }: TermReading = plainReading): Reranker {
  return {
    async rerank(question, candidates) {
      const { terms, concepts } = readQuestion({ terms: new Map(), lexicon, analyzer }, question);
      const length = sumOfSquares(concepts.values());
      const scores = candidates.map(({ title, text, scoreFor }) => {
        if (scoreFor) return scoreFor(question);
        const tokens = tokenize(`${title} ${text}`);
        const held = new Set(toTerms({ lexicon, analyzer }, tokens));
        const shared = terms.filter((term) => held.has(term.text)).length;
        const share = terms.length === 0 ? 0 : shared / terms.length;
        const counts = countConceptsOf({ lexicon }, tokens);
        let product = 0;
        for (const [concept, count] of concepts) product += count * (counts.get(concept) ?? 0);
        return (
          toCosine(product, length, sumOfSquares(counts.values())) + weightOfSharedTerms * share
        );
      });
      const order = scores.map((_score, place) => place);
      return { order: order.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)), scores };
    },
  };
}

const plainReading = {
  lexicon: compileLexicon({ stopwords: [], concepts: {} }),
  analyzer: plainAnalyzer,
};
const weightOfSharedTerms = 0.3;
