import { expect, it } from 'vitest';

import type { SearchConfiguration } from '../../../../src/model/search-configuration.ts';
import { hashSearch } from '../../../../src/evaluation/outcomes/search-hash.ts';

const hash = (fields: object) => hashSearch({ configuration: fields as SearchConfiguration });
const search = { backend: 'local', corpus: 'c', depth: 10 };

it('is one for configurations that search alike, whatever stands around the search', () => {
  const pipeline = { rerank: { type: 'lexical' } };
  const alike = [search, { ...search, pipeline }, { depth: 10, corpus: 'c', backend: 'local' }];
  expect(new Set(alike.map(hash)).size).toBe(1);
  expect(hash({ ...search, depth: 11 })).not.toBe(hash(search));
});
