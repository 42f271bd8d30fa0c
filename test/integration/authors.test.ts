import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { send } from '../helpers/client.ts';
import { databaseKinds, createDatabase } from '../helpers/databases.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';
import { createSender } from '../helpers/tenants.ts';
import { createTestSignIn } from '../helpers/tokens.ts';

const rankings = { q1: [{ documentId: 'P1' }] };
const configurations = [{ name: 'r', backend: 'run', run: 'r' }];

describe.each(databaseKinds)('who made what, on %s', (kind) => {
  it('is told for versions, judgments and evaluations', async () => {
    const databaseUrl = await createDatabase(kind);
    const app = await createTestApp({ databaseUrl, signIn: await createTestSignIn() });
    const anna = await createSender(app, { user: 'anna' });
    const nightly = await createSender(app, { client: 'sb-nightly!t9' });
    const url = '/v1/question-sets/s';
    await anna({ method: 'PUT', url, payload: { questions: pumpQuestions } });
    const judgments = [{ questionId: 'q1', documentId: 'P9', grade: 1 }];
    await nightly({ method: 'POST', url: `${url}/judgments`, payload: { judgments } });
    await anna({ method: 'PUT', url: '/v1/runs/r', payload: { rankings } });
    const payload = { questionSet: 's', configurations };
    const headers = { prefer: 'wait=20' };
    const evaluation = await nightly({ method: 'POST', url: '/v1/eval', payload, headers });
    const { id } = evaluation.json<{ id: string }>();
    const rescored = await anna({ method: 'POST', url: `/v1/eval/${id}/rescore`, headers });

    const versions = await anna({ url: `${url}/versions` });
    expect(versions.json()).toMatchObject({
      items: [
        { version: 2, createdBy: 'client/sb-nightly!t9' },
        { version: 1, createdBy: 'anna' },
      ],
    });
    expect((await anna({ url })).json()).toMatchObject({ createdBy: 'client/sb-nightly!t9' });
    const listed = await anna({ url: `${url}/judgments?limit=1000` });
    const judges = listed.json<{ items: { documentId: string; judge: string }[] }>().items;
    expect(
      new Set(judges.map(({ documentId, judge }) => `${documentId === 'P9'} ${judge}`)),
    ).toEqual(new Set(['true client/sb-nightly!t9', 'false anna']));
    expect(evaluation.json()).toMatchObject({ createdBy: 'client/sb-nightly!t9' });
    expect(rescored.json()).toMatchObject({ createdBy: 'anna' });
  });

  it('is told for imported qrels', async () => {
    const databaseUrl = await createDatabase(kind);
    const app = await createTestApp({ databaseUrl, signIn: await createTestSignIn() });
    const anna = await createSender(app, { user: 'anna' });
    const url = '/v1/question-sets/s/qrels?create=true';
    const headers = { 'content-type': 'text/plain' };
    await anna({ method: 'PUT', url, headers, payload: 'q1 0 P1 2\n' });
    const listed = await anna({ url: '/v1/question-sets/s/judgments' });

    expect(listed.json()).toMatchObject({ items: [{ documentId: 'P1', judge: 'anna' }] });
  });
});

describe('POST /v1/question-sets/{name}/judgments', () => {
  it('takes the judge from the token, and refuses another', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn() });
    const anna = await createSender(app, { user: 'anna' });
    const url = '/v1/question-sets/s';
    await anna({ method: 'PUT', url, payload: { questions: pumpQuestions } });
    const judge = (name: string, grade: number) => {
      const judgments = [{ questionId: 'q1', documentId: 'P9', grade }];
      return anna({ method: 'POST', url: `${url}/judgments`, payload: { judge: name, judgments } });
    };
    const other = await judge('m.keller', 2);
    const own = await judge('anna', 1);

    expect(other.statusCode).toBe(400);
    expect(other.json()).toMatchObject({ errors: [{ pointer: '/body/judge' }] });
    expect(own.json()).toMatchObject({ added: 1 });
  });

  it('needs a judge where nobody signs in', async () => {
    const app = await createTestApp();
    await send(app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
    const judgments = [{ questionId: 'q1', documentId: 'P9', grade: 1 }];
    const answer = await send(app, 'POST', '/v1/question-sets/s/judgments', {
      body: { judgments },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/judge' }] });
  });

  it.each([
    'client/sb-nightly!t9',
    'schedule/nightly',
    'service/retention',
    'an\nna',
    '\u202Eanna',
  ])('refuses the judge %j without sign-in', async (judge) => {
    const app = await createTestApp();
    await send(app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
    const judgments = [{ questionId: 'q1', documentId: 'P9', grade: 1 }];
    const answer = await send(app, 'POST', '/v1/question-sets/s/judgments', {
      body: { judge, judgments },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/judge' }] });
  });

  it('lets a client name itself as the judge', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn() });
    const client = await createSender(app, { client: 'sb-nightly!t9' });
    const url = '/v1/question-sets/s';
    await client({ method: 'PUT', url, payload: { questions: pumpQuestions } });
    const judgments = [{ questionId: 'q1', documentId: 'P9', grade: 1 }];
    const payload = { judge: 'client/sb-nightly!t9', judgments };
    const answer = await client({ method: 'POST', url: `${url}/judgments`, payload });

    expect(answer.json()).toMatchObject({ added: 1 });
  });
});

describe('names of users who ask', () => {
  it.each(['client/x', 'schedule/x', 'service/x', 'a\u0007b'])(
    'are refused in questions and configurations: %j',
    async (user) => {
      const app = await createTestApp();
      const condition = { key: 'plant', value: ['north'] };
      const question = await send(app, 'PUT', '/v1/question-sets/s', {
        body: { questions: [{ id: 'q1', text: 'oil', user, relevant: { P1: 1 } }] },
      });
      const configuration = await send(app, 'PUT', '/v1/search-configurations/c', {
        body: {
          backend: 'local',
          corpus: 'pumps',
          method: 'bm25',
          users: { [user]: { documentMetadata: [condition] } },
        },
      });

      expect(question.statusCode).toBe(400);
      expect(question.json()).toMatchObject({ errors: [{ pointer: '/body/questions/0/user' }] });
      expect(configuration.statusCode).toBe(400);
      expect(configuration.body).toContain('/body/users/');
    },
  );
});
