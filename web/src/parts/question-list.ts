import { api, ask, type Schemas } from '../api/client.ts';

/** Which questions are listed, and how they are sorted; the same in the address and in the request. */
export interface Selection {
  readonly measure: string;
  readonly sort: 'position' | 'worst' | 'difference';
  readonly only?: Kind;
  readonly q?: string;
  readonly kind?: string;
  readonly process?: string;
  readonly language?: string;
  readonly split?: string;
}

const kinds = ['failed', 'leaks', 'differs', 'unjudged', 'nothing-found'] as const;
type Kind = (typeof kinds)[number];
const sorts = ['position', 'worst', 'difference'] as const;

/** The selection that an address names; by default the worst questions come first. */
export function readSelection(query: URLSearchParams, headline: string): Selection {
  const only = kinds.find((kind) => kind === query.get('only'));
  const texts = ['q', 'kind', 'process', 'language', 'split'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    measure: query.get('measure') ?? headline,
    sort: sorts.find((sort) => sort === query.get('sort')) ?? 'worst',
    ...(only && { only }),
    ...Object.fromEntries(texts),
  };
}

const pageSize = 200;

export async function loadRows(
  id: string,
  selection: Selection,
  {
    cursor,
    limit = pageSize,
    signal,
  }: {
    readonly cursor?: string;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  },
): Promise<Schemas['QuestionTable']> {
  const query = { ...selection, limit, ...(cursor !== undefined && { cursor }) };
  const answer = await ask(
    api.GET('/v1/eval/{id}/questions', {
      params: { path: { id }, query },
      ...(signal && { signal }),
    }),
  );
  if (!('configurations' in answer)) throw new TypeError('The answer is no table of questions');
  return answer;
}
