import { isRecord } from './json-node.ts';

/** Keys of the query language of Elasticsearch and OpenSearch whose text is what a user typed. */
const textKeys = new Set(['query', 'query_text', 'query_string', 'model_text']);
const fieldQueries = new Set([
  'match',
  'match_phrase',
  'match_bool_prefix',
  'match_phrase_prefix',
  'term',
]);

/** The one text that a search request asks for; undefined where it has none, or several. */
export function findQueryText(request: unknown): string | undefined {
  const found = new Set<string>();
  collect(request, found);
  return found.size === 1 ? [...found][0] : undefined;
}

function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) value.forEach((one) => collect(one, found));
  if (!isRecord(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'ratings') continue;
    if (typeof inner === 'string' && textKeys.has(key)) found.add(inner);
    else if (isRecord(inner) && (fieldQueries.has(key) || key === 'params')) {
      collectFields(inner, found);
    } else collect(inner, found);
  }
}

/** A query of fields: each has its text, or an object with it. */
function collectFields(fields: Readonly<Record<string, unknown>>, found: Set<string>): void {
  for (const field of Object.values(fields)) {
    if (typeof field === 'string') found.add(field);
    else collect(field, found);
  }
}
