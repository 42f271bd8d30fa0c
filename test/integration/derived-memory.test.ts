import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createResultCache } from '../../src/evaluation/lifecycle/result-cache.ts';
import { reopenEvaluation } from '../../src/storage/evaluations/evaluation-life-cycle.ts';
import { findEvaluation } from '../../src/storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../src/storage/evaluations/stored-evaluation.ts';
import { scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

const key = ['word'] as const;
const request = {
  questionSet: 's',
  configurations: [{ name: 'c', backend: 'local', corpus: 'pumps', method: 'bm25' }],
};

interface Change {
  readonly tenant?: string;
  readonly asked?: readonly (string | number)[];
  readonly change?: Partial<StoredEvaluation>;
}

describe('the memory of what was derived', () => {
  let service: TestService;
  let evaluation: StoredEvaluation;
  let derived: string[];

  beforeEach(async () => {
    service = await startService();
    derived = [];
    await ask(service.app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await ask(service.app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
    evaluation = await readEvaluation((await evaluate(service.app, request)).id);
  });
  afterEach(() => service.close());

  async function readEvaluation(id: string): Promise<StoredEvaluation> {
    const found = await findEvaluation(service.db, id);
    if (!found) throw new Error(`Evaluation ${id} is not there`);
    return found;
  }

  const make = (name: string) => async () => {
    derived.push(name);
    return { name };
  };

  it('derives once for all who ask the same, also at the same time', async () => {
    const { getOrCompute } = createResultCache();
    const source = { db: service.db, evaluation };
    const together = [getOrCompute(source, key, make('a')), getOrCompute(source, key, make('b'))];
    const answers = [...(await Promise.all(together)), await getOrCompute(source, key, make('c'))];

    expect(answers).toEqual([{ name: 'a' }, { name: 'a' }, { name: 'a' }]);
    expect(derived).toEqual(['a']);
  });

  it.each([
    ['another tenant', { tenant: 'other' }],
    ['another derivation', { asked: ['word', 10] }],
    ['another end', { change: { finishedAt: '2030-01-01T00:00:00.000Z' } }],
    ['another scorecard', { change: { scorecard: [] } }],
    ['another evaluation', { change: { id: 'other' } }],
  ] as [string, Change][])(
    'derives anew for %s',
    async (_name, { tenant, asked = key, change }) => {
      const { getOrCompute } = createResultCache();
      const db = tenant === undefined ? service.db : scopeToTenant(service.db, tenant);
      await getOrCompute({ db: service.db, evaluation }, key, make('a'));
      const answer = await getOrCompute(
        { db, evaluation: { ...evaluation, ...change } },
        asked,
        make('b'),
      );

      expect(answer).toEqual({ name: 'b' });
    },
  );

  it.each(['running', 'failed', 'cancelled'] as const)(
    'keeps nothing of an evaluation that is %s: searches may still arrive',
    async (status) => {
      const { getOrCompute } = createResultCache();
      const source = { db: service.db, evaluation: { ...evaluation, status } };
      await getOrCompute(source, key, make('a'));

      expect(await getOrCompute(source, key, make('b'))).toEqual({ name: 'b' });
    },
  );

  it('keeps nothing that was derived while the evaluation was opened again', async () => {
    const { getOrCompute } = createResultCache();
    const source = { db: service.db, evaluation };
    await getOrCompute(source, key, async () => {
      await reopenEvaluation(service.db, evaluation.id);
      return { name: 'a' };
    });

    expect(await getOrCompute(source, key, make('b'))).toEqual({ name: 'b' });
  });

  it('hands on an error, and tries again when asked again', async () => {
    const { getOrCompute } = createResultCache();
    const source = { db: service.db, evaluation };
    const failing = getOrCompute(source, key, () => Promise.reject(new Error('no')));

    await expect(failing).rejects.toThrow('no');
    expect(await getOrCompute(source, key, make('b'))).toEqual({ name: 'b' });
  });

  it('forgets first what was not asked for longest', async () => {
    // Each text, {"name":"a"}, has 12 characters.
    const { getOrCompute } = createResultCache(24);
    const source = { db: service.db, evaluation };
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await getOrCompute(source, [name], make(name));
    }

    expect(derived).toEqual(['a', 'b', 'c', 'b']);
  });
});
