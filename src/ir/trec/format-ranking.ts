import type { Hit } from '../run.ts';
import { compareAsTrec } from './order-as-trec.ts';
import { formatRunLine } from './run-line.ts';
import { quote, TrecLineError } from './trec-line-error.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

/** A rank of a ranking as it is stored: the document may be unmapped, the score unknown. */
export interface RankedHit {
  readonly documentId: DocumentId | null;
  readonly score?: number | null | undefined;
}

/**
 * The lines of one question in a TREC run, best first, which trec_eval reads back in exactly this order.
 * It orders by score, so the scores are written only if they give this order; if one is missing, not
 * finite, or out of order, all are made: 1 / rank. An unmapped entry is written as `__unmapped-<rank>`,
 * so that those below it keep their ranks. An empty ranking has no lines: a TREC run cannot hold it.
 */
export function formatRanking(
  questionId: QuestionId,
  hits: readonly RankedHit[],
  tag: string,
): readonly string[] {
  const scored = hits.map(toScored);
  checkDistinct(questionId, scored);
  const written = isInTrecOrder(scored) ? scored : scored.map(withMadeScore);
  return written.map((hit, index) => formatRunLine({ questionId, ...hit, rank: index + 1, tag }));
}

function toScored({ documentId, score }: RankedHit, index: number): Hit {
  return { documentId: documentId ?? `__unmapped-${index + 1}`, score: score ?? Number.NaN };
}

function withMadeScore({ documentId }: Hit, index: number): Hit {
  return { documentId, score: 1 / (index + 1) };
}

function isInTrecOrder(hits: readonly Hit[]): boolean {
  return hits.every((hit, index) => {
    const above = hits[index - 1];
    return Number.isFinite(hit.score) && (above === undefined || compareAsTrec(above, hit) < 0);
  });
}

function checkDistinct(questionId: QuestionId, hits: readonly Hit[]): void {
  const seen = new Set<string>();
  for (const { documentId } of hits) {
    if (seen.has(documentId)) {
      throw new TrecLineError(
        `duplicate document ${quote(documentId)} in question ${quote(questionId)}`,
      );
    }
    seen.add(documentId);
  }
}
