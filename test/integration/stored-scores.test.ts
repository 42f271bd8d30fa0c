import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { reopenEvaluation } from '../../src/storage/evaluations/evaluation-life-cycle.ts';
import { replaceScores, streamScores } from '../../src/storage/evaluations/scores.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, hybrid, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

interface Comparison {
  readonly means: { readonly baseline: number; readonly candidate: number };
  readonly excluded: Readonly<Record<string, number>>;
}

/** What the release before stored scores answered over its own database. */
interface ReleaseAnswers {
  readonly evaluation: { readonly id: string };
  readonly comparisons: readonly { readonly request: unknown; readonly answer: unknown }[];
}

const fixtures = new URL('../fixtures/', import.meta.url);

async function openRelease(): Promise<{ service: TestService; answers: ReleaseAnswers }> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const image = await readFile(new URL('release-without-scores.db.gz', fixtures));
  await writeFile(join(folder, 'release.db'), gunzipSync(image));
  const service = await startService({ databaseUrl: `sqlite:${join(folder, 'release.db')}` });
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  const text = await readFile(new URL('release-without-scores.json', fixtures), 'utf8');
  return { service, answers: JSON.parse(text) as ReleaseAnswers };
}

async function countScores({ db }: TestService, id: string): Promise<number> {
  let questions = 0;
  for await (const { positions } of streamScores(db, id, 0)) questions += positions.length;
  return questions;
}

const compare = ({ app }: TestService, id: string, measure: string) =>
  ask<Comparison>(app, 'POST', '/v1/compare', {
    body: {
      baseline: { evaluation: id, configuration: 'a' },
      candidate: { evaluation: id, configuration: 'b' },
      measure,
    },
  });

/** Values that no ranking has, so that an answer tells where it was read. */
async function falsify({ db }: TestService, id: string): Promise<void> {
  for await (const block of streamScores(db, id, 0)) {
    const values = block.values['RR']?.map((value) => value && 0.125) ?? [];
    await replaceScores(db, id, 0, [{ ...block, values: { ...block.values, RR: values } }]);
  }
}

describe('the database of a release without stored scores', () => {
  it('answers the same scorecard, and the same comparisons from rankings and from scores', async () => {
    const { service, answers } = await openRelease();
    const { id } = answers.evaluation;
    const compareAll = async () => {
      const found: unknown[] = [];
      for (const { request } of answers.comparisons) {
        found.push(await ask(service.app, 'POST', '/v1/compare', { body: request }));
      }
      return found;
    };
    const expected = answers.comparisons.map(({ answer }) => answer);

    expect(await ask(service.app, 'GET', `/v1/eval/${id}`)).toEqual(answers.evaluation);
    expect(await countScores(service, id)).toBe(0);
    expect(await compareAll()).toEqual(expected);
    expect(await countScores(service, id)).toBe(24);
    expect(await compareAll()).toEqual(expected);
  });
});

describe.each(databaseKinds)('stored scores on %s', (kind) => {
  async function start(): Promise<{ service: TestService; id: string }> {
    const service = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(() => service.close());
    await ask(service.app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await ask(service.app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
    const configurations = [
      { name: 'a', ...bm25 },
      { name: 'b', ...hybrid },
    ];
    const { id } = await evaluate(service.app, { questionSet: 's', configurations });
    return { service, id };
  }

  it('are there when an evaluation has succeeded, and comparisons read them', async () => {
    const { service, id } = await start();
    expect(await countScores(service, id)).toBe(4);
    await falsify(service, id);

    expect((await compare(service, id, 'RR')).means.baseline).toBe(0.125);
  });

  it('are not read for a measure that the evaluation did not ask for', async () => {
    const { service, id } = await start();
    const { means } = await compare(service, id, 'P@1');
    await falsify(service, id);

    expect((await compare(service, id, 'P@1')).means).toEqual(means);
  });

  it('go when an evaluation is opened again', async () => {
    const { service, id } = await start();
    await reopenEvaluation(service.db, id);

    expect(await countScores(service, id)).toBe(0);
  });

  it('are not those of the source where rankings are scored with other judgments', async () => {
    const { service, id } = await start();
    const [first, ...others] = pumpQuestions;
    const questions = [{ ...first, relevant: { P3: 1 } }, ...others];
    await ask(service.app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    const rescored = await ask<{ id: string }>(service.app, 'POST', `/v1/eval/${id}/rescore`, {
      body: {},
      headers: { prefer: 'wait=60' },
    });
    const before = await compare(service, id, 'RR');
    const after = await compare(service, rescored.id, 'RR');

    expect(after.means.baseline).toBeLessThan(before.means.baseline);
  });
});
