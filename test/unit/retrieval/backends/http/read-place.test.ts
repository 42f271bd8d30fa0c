import { describe, expect, it } from 'vitest';

import { createPlaceReader } from '../../../../../src/retrieval/backends/http/read-place.ts';

describe('createPlaceReader', () => {
  // The document and most pointers of RFC 6901, section 5.
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7 };
  it.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/ ', 7],
    ['/foo/2', undefined],
    ['/foo/bar', undefined],
    ['/constructor', undefined],
    ['/foo/length', 2],
  ])('reads the pointer "%s"', (pointer, expected) => {
    expect(createPlaceReader(pointer)(document)).toEqual(expected);
  });

  it('reads lists that stand side by side by an expression', () => {
    const answer = { ids: [['a', 'b']], distances: [[0.1, 0.2]] };
    const read = createPlaceReader({ jmespath: 'zip(ids[0], distances[0])' });

    expect(read(answer)).toEqual([
      ['a', 0.1],
      ['b', 0.2],
    ]);
  });

  it('finds nothing where an expression does not fit', () => {
    const read = createPlaceReader({ jmespath: 'zip(ids, distances)' });

    expect(read({ ids: 'none' })).toBeUndefined();
    expect(createPlaceReader({ jmespath: 'a.b' })({})).toBeUndefined();
  });

  it.each(['hits', { jmespath: 'a.[' }])('refuses %j', (place) => {
    expect(() => createPlaceReader(place)).toThrow(SyntaxError);
  });
});
