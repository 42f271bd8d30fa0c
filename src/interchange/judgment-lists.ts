import { toListed, type DatasetQuestion, type Judged } from './dataset-question.ts';
import { isRecord, type JsonNode } from './json-node.ts';
import { findQueryText } from './query-text.ts';
import { toQuestionId } from './question-id.ts';

/** The request of `_rank_eval` of Elasticsearch and OpenSearch. */
export function readRankEval(node: JsonNode): Iterable<DatasetQuestion> {
  return node
    .get('requests')
    .list()
    .map((one) => ({
      id: one.get('id').text(),
      text: findQueryText(one.value),
      judgments: one
        .get('ratings')
        .list()
        .map((rating) => ({
          documentId: rating.get('_id').text(),
          grade: rating.get('rating').text(),
          pointer: rating.pointer,
        })),
      hits: undefined,
      pointer: one.pointer,
    }));
}

/** `EmbeddingQAFinetuneDataset` of LlamaIndex. */
export function readLlamaIndex(node: JsonNode): Iterable<DatasetQuestion> {
  const queries = node.get('queries');
  const ids = new Set([
    ...(queries.value === undefined ? [] : queries.entries().map(([id]) => id)),
    ...node
      .get('relevant_docs')
      .entries()
      .map(([id]) => id),
  ]);
  return [...ids].map((id) => {
    const relevant = node.get('relevant_docs').get(id);
    return {
      id,
      text: queries.has(id) ? queries.get(id).text() : undefined,
      judgments: relevant.value === undefined ? [] : relevant.list().map(toListed),
      hits: undefined,
      pointer: relevant.pointer,
    };
  });
}

/** Judgments of the search relevance workbench of OpenSearch. */
export function readOpenSearch(node: JsonNode): Iterable<DatasetQuestion> {
  return node
    .get('judgmentRatings')
    .list()
    .map((one) => {
      const text = one.get('query').text();
      return {
        id: toQuestionId(text),
        text,
        judgments: one
          .get('ratings')
          .list()
          .map((rating) => ({
            documentId: rating.get('docId').text(),
            grade: rating.get('rating').text(),
            pointer: rating.pointer,
          })),
        hits: undefined,
        pointer: one.pointer,
      };
    });
}

/** Ratings of the Rated Ranking Evaluator: documents by gain, or gains by document, for groups of queries. */
export function readRatedRanking(node: JsonNode): Iterable<DatasetQuestion> {
  const groups = node
    .get('topics')
    .list()
    .flatMap((topic) => topic.get('query_groups').list());
  return groups.flatMap((group) => {
    const judgments = group.get('relevant_documents').entries().flatMap(toRatedDocuments);
    const queries = group.get('queries').list();
    return queries.map((query) => {
      const text = readPlaceholder(query) ?? group.get('name').text();
      return { id: toQuestionId(text), text, judgments, hits: undefined, pointer: query.pointer };
    });
  });
}

function toRatedDocuments([key, node]: readonly [string, JsonNode]): readonly Judged[] {
  if (!Array.isArray(node.value)) {
    const gain = isRecord(node.value) ? node.get('gain') : node;
    return [{ documentId: key, grade: gain.text(), pointer: node.pointer }];
  }
  return node.list().map((one) => ({ documentId: one.text(), grade: key, pointer: one.pointer }));
}

/** The text of a query, which a template takes as `$query` or as its only placeholder. */
function readPlaceholder(query: JsonNode): string | undefined {
  const placeholders = query.get('placeholders');
  if (placeholders.has('$query')) return placeholders.get('$query').text();
  const entries = isRecord(placeholders.value) ? placeholders.entries() : [];
  return entries.length === 1 ? entries[0]?.[1].text() : undefined;
}
