import { expect, it } from 'vitest';

import { failIfChangedDuringRead } from '../../src/evaluation/catalog/fail-if-changed-during-read.ts';
import { startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';
import { pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

async function* items(): AsyncGenerator<number> {
  yield* [1, 2, 3];
}

it('failIfChangedDuringRead passes everything on, and fails at the end when its source is another by then', async () => {
  const { app, db, close } = await startService();
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
  await ask(app, 'PUT', '/v1/corpora/c', { body: { documents: pumpDocuments } });
  const { contentHash } = await ask<{ contentHash: string }>(app, 'GET', '/v1/corpora/c');
  const corpus = { kind: 'corpus', name: 'c', contentHash } as const;
  const read = (source: Parameters<typeof failIfChangedDuringRead>[2]) =>
    Array.fromAsync(failIfChangedDuringRead(db, items(), source));

  const whole = await read({ kind: 'question-set', name: 's', version: 1 });
  const same = await read(corpus);
  const others = await Promise.allSettled([
    read({ kind: 'question-set', name: 's', version: 2 }),
    read({ ...corpus, contentHash: 'other' }),
    read({ kind: 'run', name: 'gone', contentHash }),
    read({ kind: 'evaluation', id: 'gone' }),
  ]);
  await close();

  expect([whole, same]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
});
