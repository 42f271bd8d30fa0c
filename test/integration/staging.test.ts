import { expect, it, onTestFinished } from 'vitest';

import { stageTexts } from '../../src/evaluation/catalog/staging.ts';
import { insertDraft } from '../../src/storage/catalog/drafts.ts';
import { countTurns } from '../helpers/count-turns.ts';
import { startService } from '../helpers/app.ts';

it('lets others in between the steps that put entries aside', async () => {
  const { db, close } = await startService();
  onTestFinished(close);
  const draft = { db, id: 'draft', now };
  await insertDraft(db, { id: draft.id, at: now() });
  const turns = countTurns();
  await stageTexts(draft, makeTexts());

  // 256 buckets, 64 in a step.
  expect(turns.end()).toBeGreaterThanOrEqual(4);
});

function now(): string {
  return '2026-12-01T00:00:00Z';
}

/** As much as is kept in memory before it is written, in one piece. */
async function* makeTexts() {
  const text = JSON.stringify('x'.repeat(1998));
  yield Array.from({ length: 2000 }, (_, index) => ({ questionId: `q${index}`, text }));
}
