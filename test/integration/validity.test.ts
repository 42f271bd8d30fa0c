import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

interface ComparedAnswer {
  readonly isSame: boolean;
}

interface ValidityAnswer {
  readonly isSame: boolean;
  readonly differences: readonly string[];
  readonly configurations: readonly (Readonly<
    Record<'questionSet' | 'selection' | 'input' | 'serviceVersion', ComparedAnswer>
  > & {
    readonly isSame: boolean;
    readonly configuration: ComparedAnswer & { readonly fields: readonly string[] };
  })[];
}

const aspects = ['questionSet', 'selection', 'configuration', 'input', 'serviceVersion'] as const;

function differing({ configurations }: ValidityAnswer): string[] {
  return aspects.filter((aspect) => configurations[0]?.[aspect].isSame === false);
}

describe.each(databaseKinds)('GET /v1/eval/{id}/validity on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await putQuestions(pumpQuestions);
    await putCorpus(pumpDocuments);
    const { id: evaluation } = await search();
    await ask(app, 'PUT', '/v1/baselines/main', { body: { evaluation, configuration: 'bm25' } });
  });

  const putQuestions = (questions: object[]) =>
    ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions } });
  const putCorpus = (documents: object[]) =>
    ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents } });
  const search = (change: object = {}) =>
    evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'bm25', ...bm25 }],
      ...change,
    });
  const validate = (id: string) =>
    ask<ValidityAnswer>(app, 'GET', `/v1/eval/${id}/validity?baseline=main`);

  it('finds an evaluation of the same, with hashes and versions', async () => {
    const { id } = await search();
    const found = await validate(id);

    expect(found).toMatchObject({
      evaluation: id,
      baseline: { name: 'main', configuration: 'bm25' },
      isSame: true,
      differences: [],
      configurations: [
        {
          isSame: true,
          questionSet: { baseline: { name: 'pumps', version: 1 }, evaluation: { version: 1 } },
          input: { evaluation: { kind: 'corpus', name: 'pumps' } },
          serviceVersion: { evaluation: packageJson.version },
        },
      ],
    });
  });

  it('says what of a configuration differs', async () => {
    const configurations = [{ name: 'bm25', ...bm25, depth: 7, method: 'hybrid' }];
    const found = await validate((await search({ configurations })).id);

    expect(differing(found)).toEqual(['configuration']);
    expect(found.configurations[0]?.configuration.fields).toEqual(['depth', 'method']);
    expect(found).toMatchObject({
      isSame: false,
      differences: ['the configuration differs in depth, method'],
    });
  });

  it('finds another corpus, other questions and another selection', async () => {
    await putCorpus(pumpDocuments.slice(1));
    const corpus = await validate((await search()).id);
    await putCorpus(pumpDocuments);
    const sampled = await validate((await search({ sample: { size: 2, seed: 1 } })).id);
    await putQuestions(pumpQuestions.slice(1));
    const labels = await validate((await search()).id);

    expect([corpus, sampled, labels].map(differing)).toEqual([
      ['input'],
      ['selection'],
      ['questionSet'],
    ]);
    expect(corpus.differences[0]).toContain("corpus 'pumps'");
    expect(labels.differences[0]).toContain('version 1');
  });

  it('says that the configuration is not there', async () => {
    const configurations = [{ name: 'other', ...bm25 }];
    const found = await validate((await search({ configurations })).id);

    expect(found.isSame).toBe(false);
    expect(found.differences).toEqual(["the evaluation has no configuration 'bm25'"]);
    expect(found.configurations[0]?.isSame).toBe(true);
  });

  it('answers 404 for an unknown evaluation and an unknown baseline', async () => {
    const { id } = await search();
    const answers = await Promise.all(
      [`/v1/eval/nope/validity?baseline=main`, `/v1/eval/${id}/validity?baseline=nope`].map((url) =>
        app.inject(url),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  });
});
