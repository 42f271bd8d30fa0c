import { toJudgments } from '../../ir/qrels.ts';
import type { RankingCheck } from './ranking-check.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';

/** Pairs that are remembered for the message. */
const maxPairs = 20;

/** Ids that came back and differ from a judged one in nothing but case, blanks or percent-encoding. */
export function checkNearMisses(): RankingCheck {
  const pairs = new Set<string>();
  let questions = 0;
  return {
    add({ question, hits }) {
      const judgments = toJudgments(question.judgments);
      const folded = new Map([...judgments.keys()].map((id) => [fold(id), id]));
      const near = hits.flatMap(({ documentId }) => {
        if (documentId === null || judgments.has(documentId)) return [];
        const judged = folded.get(fold(documentId));
        return judged === undefined ? [] : [`'${documentId}' for '${judged}'`];
      });
      questions += near.length > 0 ? 1 : 0;
      for (const pair of near.slice(0, Math.max(0, maxPairs - pairs.size))) pairs.add(pair);
    },
    toList: () =>
      warnIf(questions, {
        code: 'near-miss-ids',
        message: `Documents were returned whose ids differ from judged ones only in case, white space or percent-encoding, and count as unjudged: ${nameSome(pairs)}`,
      }),
  };
}

function fold(id: string): string {
  return decode(id).normalize('NFC').toLowerCase().replaceAll(/\s+/g, '');
}

/** Decodes what is percent-encoded, and keeps what only looks like it. */
function decode(id: string): string {
  return id.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
