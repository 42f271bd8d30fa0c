import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { createUnorderedHash, hashUnordered } from '../../../src/model/hash-content.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it('createUnorderedHash hashes the sorted lines, as versions were always hashed', async () => {
  const parts = Array.from({ length: 5000 }, (_, index) => sha256(String(index % 4900)));
  const hash = createUnorderedHash();
  parts.forEach(hash.add);
  const digest = await hash.digest();

  expect(digest).toBe(
    sha256(
      parts
        .toSorted()
        .map((part) => `${part}\n`)
        .join(''),
    ),
  );
  expect(digest).toBe(hashUnordered(parts));
});

it('createUnorderedHash hashes nothing as SHA-256 does', async () => {
  expect(await createUnorderedHash().digest()).toBe(sha256(''));
});
