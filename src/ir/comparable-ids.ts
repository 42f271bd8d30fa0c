import type { Ranking } from './run.ts';
import type { DocumentId } from './ids.ts';

/**
 * The form in which ids of documents are compared: composed Unicode (NFC). The same file name comes composed
 * from one system and decomposed from another, and looks the same in both.
 */
export function toComparableId(documentId: DocumentId): DocumentId {
  return isAscii(documentId) ? documentId : documentId.normalize('NFC');
}

/** Nearly all ids are, and every normal form leaves them as they are (Unicode Standard Annex #15, section 1.2). */
function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

/**
 * Ids in their comparable form. A decomposed one that stands above or below its composed form is the same
 * document a second time, and counts as unmapped: it is credited once.
 */
export function toComparableRanking(ranking: Ranking): Ranking {
  if (ranking.every((documentId) => documentId === null || isAscii(documentId))) return ranking;
  const firstForms = new Map<DocumentId, DocumentId>();
  return ranking.map((documentId) => {
    if (documentId === null) return null;
    const id = toComparableId(documentId);
    const first = firstForms.get(id) ?? documentId;
    firstForms.set(id, first);
    return first === documentId ? id : null;
  });
}
