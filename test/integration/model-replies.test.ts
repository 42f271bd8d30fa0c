import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { scriptChat } from '../helpers/scripted-chat.ts';

interface Questions {
  readonly items: readonly {
    readonly pipeline: {
      readonly stages: readonly { readonly stage: string; readonly replies?: object }[];
    };
  }[];
}

const model = { model: 'gpt' };
const pipeline = {
  rewrite: [
    { type: 'llm', ...model, versions: 2, prompt: 'reword' },
    { type: 'hyde', ...model, prompt: 'answer' },
  ],
  rerank: { type: 'llm', ...model, prompt: 'order' },
};

describe.each(databaseKinds)('replies of models on %s', (kind) => {
  async function run(storeSnippets: boolean, order = '[2] > [1]') {
    const { chatModel } = scriptChat(({ messages }) => {
      const prompt = messages[0]?.content;
      if (prompt === 'order') return order;
      return prompt === 'reword' ? '1. oil drips\n2. leak' : 'A passage of the model';
    });
    const databaseUrl = await createDatabase(kind);
    const app = await createTestApp({ chatModel, storeSnippets, databaseUrl });
    const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const { id } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'piped', ...bm25, pipeline }],
      measures: ['RR'],
    });
    const url = `/v1/eval/${id}/questions?configuration=piped`;
    return ask<Questions>(app, 'GET', url);
  }

  it('are kept with the trace, but for hypothetical passages', async () => {
    const found = await run(true);

    expect(found.items[0]?.pipeline.stages).toMatchObject([
      { stage: 'rewrite', type: 'llm', replies: { texts: ['1. oil drips\n2. leak'], omitted: 0 } },
      { stage: 'rewrite', type: 'hyde' },
      { stage: 'search' },
      { stage: 'fusion' },
      { stage: 'rerank', type: 'llm', replies: { texts: ['[2] > [1]'], omitted: 0 } },
    ]);
    expect(JSON.stringify(found)).not.toContain('A passage of the model');
  });

  it('are kept of a stage that could not use them, with what no text column takes', async () => {
    const found = await run(true, 'I will not \u0000\uD800');

    expect(found.items[0]?.pipeline).toMatchObject({
      fallbacks: [{ stage: 'rerank', code: 'unusable-reply' }],
    });
    expect(found.items[0]?.pipeline.stages.at(-1)?.replies).toEqual({
      texts: ['I will not \u0000\uFFFD'],
      omitted: 0,
    });
  });

  it('are not kept where no snippet is', async () => {
    const found = await run(false);

    expect(found.items[0]?.pipeline.stages).toHaveLength(5);
    expect(JSON.stringify(found)).not.toContain('"replies"');
    expect(JSON.stringify(found)).not.toContain('[2] > [1]');
  });
});
