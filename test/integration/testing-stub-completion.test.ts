import { OrchestrationClient, type OrchestrationModuleConfig } from '@sap-ai-sdk/orchestration';
import { describe, expect, it } from 'vitest';

import { type AiCoreStub, faults } from 'grounding-eval-testing';
import { createDestination, listKeyPaths, startStub } from '../helpers/grounding.ts';
import { readShape } from '../helpers/published-shapes.ts';

const corpus = [
  {
    id: 'N-1',
    title: 'Brakes',
    paragraphs: ['brake brake pad', 'brake lever and bell'],
    metadata: { plant: ['north'] },
    chunkMetadata: [{ title: ['Pads'] }, {}],
  },
  { id: 'N-2', title: 'Chains', paragraphs: ['chain brake lamp'], metadata: { plant: ['south'] } },
];

const template = (content: string) => ({ template: [{ role: 'user' as const, content }] });

describe('a completion of the stub with grounding', () => {
  it('finds chunks best first, with the metadata that is asked for', async () => {
    const answer = await complete(await startStub({ corpus }), {
      grounding: ground({ metadata_params: ['docId', 'title'] }),
    });
    expect(JSON.parse(groundingOf(answer))).toEqual([
      {
        content: 'brake brake pad',
        metadata: {
          docId: ['N-1'],
          document_docId: ['N-1'],
          title: ['Pads'],
          document_title: ['Brakes'],
        },
      },
      {
        content: 'chain brake lamp',
        metadata: { docId: ['N-2'], document_docId: ['N-2'], title: ['Chains'] },
      },
      {
        content: 'brake lever and bell',
        metadata: { docId: ['N-1'], document_docId: ['N-1'], title: ['Brakes'] },
      },
    ]);
  });

  it('gives the texts alone where no metadata is asked for', async () => {
    const answer = await complete(await startStub({ corpus }), { grounding: ground() });
    expect(groundingOf(answer)).toBe('brake brake pad```chain brake lamp```brake lever and bell');
  });

  it.each([
    ['documents', { document_metadata: [{ key: 'plant', value: ['south'] }] }, 'chain brake lamp'],
    ['counts', { search_config: { max_chunk_count: 1 } }, 'brake brake pad'],
    ['chunks', { chunk_metadata: [{ key: 'index', value: ['1'] }] }, 'brake lever and bell'],
    [
      'keys that may be absent',
      {
        document_metadata: [
          { key: 'gone', value: ['x'], select_mode: ['ignoreIfKeyAbsent' as const] },
        ],
        search_config: { max_document_count: 1 },
      },
      'brake brake pad',
    ],
  ])('honours filters by %s', async (_case, filter, expected) => {
    const grounding = ground({ filters: [{ data_repository_type: 'vector', ...filter }] });
    const answer = await complete(await startStub({ corpus }), { grounding });
    expect(groundingOf(answer)).toBe(expected);
  });

  it.each([
    ['metadata', { metadata_params: ['docId'] }, '[]'],
    ['texts', {}, ''],
  ])('finds nothing, told as %s', async (_case, config, expected) => {
    const grounding = ground(config);
    const answer = await complete(await startStub({ corpus }), { grounding }, 'xylophone');
    expect(groundingOf(answer)).toBe(expected);
  });

  it.each<[string, object, string, string]>([
    [
      'a key that nothing has',
      {
        filters: [
          { data_repository_type: 'vector', document_metadata: [{ key: 'plont', value: ['a'] }] },
        ],
      },
      'Grounding Module',
      "'plont'",
    ],
    [
      'metadata of help.sap.com',
      { filters: [{ data_repository_type: 'help.sap.com' }], metadata_params: ['title'] },
      'Grounding Module',
      'metadata_params',
    ],
    [
      'filters in the words of the Retrieval API',
      { filters: [{ data_repository_type: 'vector', searchConfiguration: {} }] },
      'Request Validation',
      'searchConfiguration',
    ],
  ])('refuses %s', async (_case, config, location, said) => {
    const stub = await startStub({ corpus });
    const error = await failCompletion(stub, { grounding: ground(config) });
    expect(error).toMatchObject({
      status: 400,
      data: { error: { code: 400, location, message: expect.stringContaining(said) as string } },
    });
  });

  it('looks for placeholders in what it found, and not in the question', async () => {
    const stub = await startStub({
      corpus: [...corpus, { id: 'N-3', title: '', paragraphs: ['use {{?size}} as printed'] }],
    });
    const grounding = ground();
    const answered = await complete(stub, { grounding }, 'brake {{?colour}} bell lever');
    expect(groundingOf(answered)).not.toContain('size');
    const error = await failCompletion(stub, { grounding }, 'printed');
    expect(error.data).toMatchObject({
      error: {
        location: 'Templating Module',
        intermediate_results: {
          grounding: { data: { grounding_result: 'use {{?size}} as printed' } },
        },
      },
    });
  });
});

describe('a completion of the stub', () => {
  it('asks the model of the test, with the values filled in', async () => {
    const prompts: unknown[] = [];
    const stub = await startStub({
      reply({ model, messages, values }) {
        prompts.push({ model, messages, values });
        return 'Two words';
      },
    });
    const answer = await complete(stub, { prompt: template('Say {{?question}}') }, '{{?x}}');
    expect(prompts).toEqual([
      {
        model: 'gpt-4.1-mini',
        messages: [{ role: 'user', content: 'Say {{?x}}' }],
        values: { question: '{{?x}}' },
      },
    ]);
    expect(answer.getContent()).toBe('Two words');
    expect(answer.getTokenUsage()).toEqual({
      prompt_tokens: 2,
      completion_tokens: 2,
      total_tokens: 4,
    });
  });

  it('cuts a reply at max_tokens', async () => {
    const stub = await startStub({ reply: () => 'one two three' });
    const answer = await complete(stub, { params: { max_tokens: 2 } });
    expect(answer.getContent()).toBe('one two');
    expect(answer.getFinishReason()).toBe('length');
  });

  it('ends a reply for the reason that is given', async () => {
    const stub = await startStub({
      reply: () => ({ content: '', finishReason: 'content_filter' }),
    });
    const answer = await complete(stub, {});
    expect(answer.getFinishReason()).toBe('content_filter');
  });

  it.each([
    ['without a value', 'Say {{?question}} {{?style}}', 'style'],
    ['without a place', 'Say nothing', 'question'],
  ])('refuses parameters %s', async (_case, content, name) => {
    const error = await failCompletion(await startStub(), { prompt: template(content) });
    expect(error.data).toMatchObject({
      error: { location: 'Templating Module', message: expect.stringContaining(name) as string },
    });
  });

  it('does not know another deployment', async () => {
    const error = await failCompletion(await startStub(), { deploymentId: 'd-gone' });
    expect(error.status).toBe(404);
  });

  it('meets faults by what is asked, and counts', async () => {
    const fault = faults.moduleError(400, 'Input Filter', 'not allowed');
    const stub = await startStub({
      faults: [{ endpoint: 'completion', question: /bad/, fault }],
    });
    await complete(stub, {}, 'good');
    const error = await failCompletion(stub, {}, 'bad');
    expect(error).toMatchObject({ status: 400, data: { error: { location: 'Input Filter' } } });
    expect(stub.counters.requests.completion).toBe(2);
    const counts = [...stub.counters.questions.values()];
    expect(counts).toEqual([
      { received: 1, answered: 1 },
      { received: 1, answered: 0 },
    ]);
  });
});

describe('what a completion of the stub answers has the shape of', () => {
  it.each<[string, object]>([
    ['v2-with-metadata', { metadata_params: ['docId'] }],
    ['v2-plain-text', {}],
  ])('orchestration-%s.json', async (file, config) => {
    const answer = await complete(await startStub({ corpus }), { grounding: ground(config) });
    expect(listKeyPaths(answer.rawResponse.data)).toEqual(
      listKeyPaths(readShape(`orchestration-${file}`)),
    );
  });

  it('orchestration-v2-error-unused-parameters.json', async () => {
    const stub = await startStub({
      corpus: [{ id: 'N-3', title: '', paragraphs: ['use {{?size}} as printed'] }],
    });
    const { data } = await failCompletion(stub, { grounding: ground() }, 'printed');
    expect(listKeyPaths(data)).toEqual(
      listKeyPaths(readShape('orchestration-v2-error-unused-parameters')),
    );
  });
});

interface Asked {
  readonly grounding?: OrchestrationModuleConfig['grounding'];
  readonly prompt?: ReturnType<typeof template>;
  readonly params?: { readonly max_tokens: number };
  readonly deploymentId?: string;
}

/** As SAP's own SDK completes. */
async function complete(stub: AiCoreStub, asked: Asked, question = 'brake') {
  const { grounding, params, deploymentId } = asked;
  const content = grounding ? '{{?question}} {{?context}}' : 'Say {{?question}}';
  const client = new OrchestrationClient(
    {
      promptTemplating: {
        model: { name: 'gpt-4.1-mini', ...(params && { params }) },
        prompt: asked.prompt ?? template(content),
      },
      ...(grounding && { grounding }),
    },
    { resourceGroup: 'default', ...(deploymentId !== undefined && { deploymentId }) },
    await createDestination(stub.serviceKey),
  );
  return client.chatCompletion({ placeholderValues: { question } });
}

async function failCompletion(...asked: Parameters<typeof complete>) {
  const error: unknown = await complete(...asked).then(
    () => {
      throw new Error('The completion was answered');
    },
    (reason: unknown) => reason,
  );
  return (error as { cause: { response: { status: number; data: unknown } } }).cause.response;
}

function ground(config: object = {}): NonNullable<OrchestrationModuleConfig['grounding']> {
  return {
    type: 'document_grounding_service',
    config: { placeholders: { input: ['question'], output: 'context' }, ...config },
  };
}

function groundingOf(answer: Awaited<ReturnType<typeof complete>>): string {
  const { grounding } = answer.getIntermediateResults() as unknown as GroundedResults;
  return grounding.data.grounding_result;
}

interface GroundedResults {
  readonly grounding: { readonly data: { readonly grounding_result: string } };
}
