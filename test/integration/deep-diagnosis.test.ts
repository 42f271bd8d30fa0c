import { describe, expect, it } from 'vitest';

import { RetrieverError } from '../../src/errors.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { noCost } from '../../src/model/outcome.ts';

interface LossesAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly lost: readonly { readonly documentId: string; readonly cause: string }[];
  }[];
}

/** Everybody finds P1; P2 and SECRET are hidden from every user, nobody judged SECRET; P9 does not exist. */
const questions = [
  { id: 'hidden', text: 'hidden', user: 'anna', relevant: { P2: 2, P1: 1 } },
  { id: 'missing', text: 'missing', user: 'anna', relevant: { P9: 1 } },
  { id: 'found', text: 'found', user: 'anna', relevant: { P1: 1 } },
  { id: 'open', text: 'open', relevant: { P9: 1 } },
  { id: 'broken', text: 'broken', user: 'anna', relevant: { P2: 1 } },
];
const users = { anna: { documentMetadata: [{ key: 'plant', value: ['north'] }] } };
const local = { backend: 'local', corpus: 'pumps', method: 'bm25', users };
const configurations = [
  { name: 'one', ...local },
  { name: 'same', ...local },
];
const request = { questionSet: 's', configurations, measures: ['P@3'], diagnose: 'deep' };

const toHit = (documentId: string) => ({ documentId, chunkId: `${documentId}#0`, score: 1 });

/** Records what was searched for nobody; of those, the question `broken` fails while `isBroken`. */
function createSearches() {
  const unfiltered: string[] = [];
  const state = { isBroken: true };
  const cost = { ...noCost, searches: 1, attempts: 1, latencyMs: 1 };
  const retrievers: RetrieverRegistry = {
    createRetriever: async () => ({
      async retrieve(_text, { questionId = '', user }) {
        if (user === undefined) unfiltered.push(questionId);
        if (user === undefined && questionId === 'broken' && state.isBroken) {
          throw new RetrieverError('retriever-failed', 'told to fail', { attempts: 1 });
        }
        const isOpen = user !== undefined || questionId === 'open';
        return { hits: (isOpen ? ['P1'] : ['P1', 'P2', 'SECRET']).map(toHit), cost };
      },
    }),
  };
  return { retrievers, unfiltered, state };
}

async function prepare(kind: (typeof databaseKinds)[number]) {
  const searches = createSearches();
  const databaseUrl = await createDatabase(kind);
  const app = await createTestApp({ databaseUrl, retrievers: searches.retrievers });
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  const causes = async (evaluation: string) => {
    const url = `/v1/eval/${evaluation}/diagnosis/questions?configuration=same&k=3`;
    const { items } = await ask<LossesAnswer>(app, 'GET', url);
    const lost = items.flatMap((item) => item.lost.map((each) => [item.id, each] as const));
    return Object.fromEntries(lost.map(([id, each]) => [`${id}/${each.documentId}`, each.cause]));
  };
  return { ...searches, app, causes };
}

describe.each(databaseKinds)('"diagnose": "deep" on %s', (kind) => {
  it('searches once without the user, only where that can tell something', async () => {
    const { app, unfiltered, causes } = await prepare(kind);

    const { id, scorecard } = await evaluate(app, request);

    // `open` has no user: both configurations search it as it is.
    expect(unfiltered.toSorted()).toEqual(['broken', 'hidden', 'missing', 'open', 'open']);
    expect(await causes(id)).toEqual({
      'hidden/P2': 'filtered',
      'missing/P9': 'absent',
      'open/P9': 'absent',
      'broken/P2': 'absent',
    });
    expect(scorecard).toMatchObject([
      {
        usage: { searches: 5, unfilteredSearches: 3 },
        diagnosis: { k: 3, lost: 4, unfiltered: { searched: 2, failed: 1, notAsked: 0 } },
      },
      { usage: { searches: 5, unfilteredSearches: 0 } },
    ]);
  });

  it('never shows what it found, but for the ids of relevant documents', async () => {
    const { app } = await prepare(kind);
    const { id } = await evaluate(app, request);

    const urls = ['diagnosis/questions', 'diagnosis', 'questions'].map(
      (path) => `/v1/eval/${id}/${path}?configuration=one`,
    );
    const answers = await Promise.all(urls.map((url) => app.inject({ url })));
    const report = await app.inject({ url: `/v1/eval/${id}/report` });

    expect(report.body).toContain('## Where relevant documents are lost (top 3)');
    expect(report.body).toContain('| one | 6 | 4 | 1 | 3 | 0 | 0 | 0 | 0 |');
    expect(answers[0]?.body).toContain('P2');
    expect([...answers, report].map(({ body }) => body).join('\n')).not.toContain('SECRET');
    expect([...answers.slice(1), report].map(({ body }) => body).join('\n')).not.toContain('P2');
  });

  it('repeats only what failed, and never in a rescore', async () => {
    const { app, unfiltered, state, causes } = await prepare(kind);
    const { id } = await evaluate(app, request);
    unfiltered.length = 0;
    state.isBroken = false;

    const headers = { prefer: 'wait=60' };
    await ask(app, 'POST', `/v1/eval/${id}/retry-failed`, { headers });
    const url = `/v1/eval/${id}/rescore`;
    const rescored = await ask<EvaluationAnswer>(app, 'POST', url, { body: {}, headers });

    expect(unfiltered).toEqual(['broken']);
    expect(await causes(rescored.id)).toMatchObject({
      'hidden/P2': 'filtered',
      'broken/P2': 'filtered',
    });
    expect(rescored.scorecard[0]?.usage['unfilteredSearches']).toBe(0);
    expect((await send(app, 'POST', `/v1/eval/${id}/retry-failed`)).statusCode).toBe(409);
  });

  it('makes no such search without leave, and says that it did not', async () => {
    const { app, unfiltered, causes } = await prepare(kind);

    const { id, scorecard } = await evaluate(app, { ...request, diagnose: true });

    expect(unfiltered).toEqual(['open', 'open']);
    expect(await causes(id)).toMatchObject({ 'hidden/P2': 'absent' });
    expect(scorecard[0]).toMatchObject({ diagnosis: { unfiltered: { notAsked: 3 } } });
  });
});
