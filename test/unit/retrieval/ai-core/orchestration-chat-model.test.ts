import { describe, expect, it } from 'vitest';

import {
  type AiCoreOptions,
  createAiCoreConnection,
} from '../../../../src/retrieval/ai-core/connection.ts';
import { createOrchestrationChatModel } from '../../../../src/retrieval/ai-core/orchestration/chat-model.ts';
import { createOrchestrationDeployments } from '../../../../src/retrieval/ai-core/orchestration/deployments.ts';
import { parseServiceKey } from '../../../../src/retrieval/ai-core/service-key.ts';
import type { ChatModel, ChatRequest } from '../../../../src/retrieval/chat-model.ts';
import {
  type AiCoreStubOptions,
  completionAnswer,
  faults,
  mockAiCore,
  type MockedAnswer,
} from 'grounding-eval-testing';
import { allowAll } from '../../../helpers/allowances.ts';
import { startStub } from '../../../helpers/grounding.ts';
import { createFakeClock } from '../resilience/fake-clock.ts';

const instruction = { role: 'system', content: 'Rewrite. {{versions}}' } as const;
const question = { role: 'user', content: 'brake {{?pad}} ```' } as const;

describe('createOrchestrationChatModel', () => {
  it('says what the model said and what it cost', async () => {
    const { ask } = await start({ reply: () => 'worn brake pads' });
    const { latencyMs, ...answer } = await ask();
    // The stub's tokens are words: two of the instruction, three of the question.
    expect(answer).toEqual({
      text: 'worn brake pads',
      promptTokens: 5,
      completionTokens: 3,
      attempts: 1,
    });
    expect(latencyMs).toBeGreaterThan(0);
  });

  it('sends what is said as values alone, in their roles', async () => {
    const { ask, stub } = await start();
    await ask({ maxTokens: 7, temperature: 0 });
    expect(stub.requests.at(-1)?.body).toMatchObject({
      config: {
        modules: {
          prompt_templating: {
            model: { name: 'gpt-4.1-mini', params: { max_tokens: 7, temperature: 0 } },
            prompt: {
              template: [
                { role: 'system', content: '{{?message1}}' },
                { role: 'user', content: '{{?message2}}' },
              ],
            },
          },
        },
      },
      placeholder_values: { message1: instruction.content, message2: question.content },
    });
    expect(stub.requests.at(-1)?.resourceGroup).toBe('default');
  });

  it('leaves the temperature to the model', async () => {
    const { ask, stub } = await start();
    await ask();
    expect(JSON.stringify(stub.requests.at(-1)?.body)).not.toContain('temperature');
  });

  it('asks once for the deployment, whatever model is called', async () => {
    const { ask, stub } = await start();
    await Promise.all([ask(), ask({ model: 'gpt-5.4-nano' })]);
    expect(stub.counters.requests).toMatchObject({ token: 1, deployments: 1, completion: 2 });
  });

  it('keeps to the limit of the resource group', async () => {
    const { ask, stub } = await start({ latencyMs: 20 }, { concurrency: 2 });
    await ask();
    await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(stub.counters.mostSearchesAtOnce).toBe(2);
  });

  it('knows when there is no way to a model', () => {
    const { findObstacle } = createModel({});
    expect(findObstacle?.({ resourceGroup: 'default' })).toContain('AICORE_SERVICE_KEY');
    expect(findObstacle?.({ resourceGroup: 'default', destination: 'AICORE' })).toBeUndefined();
  });

  it('stops at once when the question is given up', async () => {
    const fault = faults.hang();
    const { ask, stub } = await start({ faults: [{ endpoint: 'completion', fault }] });
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal });
    await stub.arrival;
    stop.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
    await expect(ask({ signal: stop.signal })).rejects.toThrow('given up');
  });
});

describe('createOrchestrationChatModel on failures', () => {
  it('waits as Retry-After says where there is time for it', async () => {
    const clock = createFakeClock();
    const fault = faults.tooManyRequests(3);
    const rules = [{ endpoint: 'completion' as const, fault, first: 1 }];
    const { ask } = await start({ faults: rules }, { clock });
    expect(await ask({ timeoutMs: 10_000 })).toMatchObject({ attempts: 2 });
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(3000);
  });

  it('does not wait longer than the stage may take', async () => {
    const fault = faults.tooManyRequests(30);
    const { ask } = await start(
      { faults: [{ endpoint: 'completion', fault }] },
      { clock: createFakeClock() },
    );
    await expect(ask({ timeoutMs: 10_000 })).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringContaining('limits the rate') as string,
      attempts: 1,
    });
  });

  it('tries again after an internal error', async () => {
    const fault = faults.internalError();
    const { ask } = await start(
      { faults: [{ endpoint: 'completion', fault, first: 1 }] },
      { clock: createFakeClock() },
    );
    expect(await ask()).toMatchObject({ attempts: 2 });
  });

  it('gives up a reply that is late', async () => {
    const { ask } = await start({ faults: [{ endpoint: 'completion', fault: faults.hang() }] });
    await expect(ask({ timeoutMs: 60 })).rejects.toMatchObject({
      code: 'retriever-timeout',
      message: expect.stringContaining('"timeoutMs" of the stage') as string,
    });
  });

  it.each<[string, MockedAnswer, string]>([
    ['a web page', { body: '<html></html>' }, 'web page'],
    ['nothing', { body: '' }, 'empty'],
    ['broken JSON', { body: '{"final_result": ' }, 'not JSON'],
    ['no choices', { body: { final_result: { choices: [], usage: {} } } }, "model's reply"],
    ['no usage', { body: withoutUsage() }, "model's reply"],
    ['an empty reply', { body: completionAnswer({ content: ' ' }) }, 'is empty'],
    [
      'a reply without room for words',
      { body: completionAnswer({ content: '', finishReason: 'length' }) },
      'reached its token limit',
    ],
    [
      'a reply that was held back',
      { body: completionAnswer({ content: 'brake', finishReason: 'content_filter' }) },
      'content filter',
    ],
    ['a refusal', { body: withRefusal('I cannot talk of brake pads') }, 'refused to answer'],
  ])('fails on %s, with none of the texts in its words', async (_case, answer, said) => {
    const failure = await failMocked(answer);
    expect(failure).toMatchObject({ code: 'retriever-failed', attempts: 1 });
    expect(failure.message).toContain(said);
    expect(failure.message).not.toContain('brake');
  });

  it('tells which module refused', async () => {
    const said = 'Prompt filtered due to safety violations';
    const fault = faults.moduleError(400, 'Input Filter', said);
    const { ask } = await start({ faults: [{ endpoint: 'completion', fault }] });
    await expect(ask()).rejects.toThrow(/content filter blocked the text.*Input Filter.*safety/s);
  });

  it('goes on after texts that a filter refused, however many', async () => {
    const fault = faults.moduleError(400, 'Input Filter', 'no');
    const { ask, stub } = await start({ faults: [{ endpoint: 'completion', fault }] });
    await Promise.all(Array.from({ length: 7 }, () => ask().catch(ignore)));
    expect(stub.counters.requests.completion).toBe(7);
  });

  it('stops after five refusals of a model, and calls another one', async () => {
    const { ask, stub } = await start({
      faults: ({ endpoint, body }) =>
        endpoint === 'completion' && JSON.stringify(body).includes('gpt-gone')
          ? faults.moduleError(400, 'LLM Module', 'no such model')
          : undefined,
    });
    const asked = Array.from({ length: 8 }, () => ask({ model: 'gpt-gone' }).catch(ignore));
    await Promise.all(asked);
    expect(stub.counters.requests.completion).toBe(5);
    await ask();
    expect(stub.counters.requests.completion).toBe(6);
  });
});

async function start(options: AiCoreStubOptions = {}, limits: Partial<AiCoreOptions> = {}) {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const stub = await startStub({
    ...options,
    latencyMs: (request) => {
      arrive();
      const { latencyMs = 0 } = options;
      return typeof latencyMs === 'number' ? latencyMs : latencyMs(request);
    },
  });
  const model = createModel({ serviceKey: parseServiceKey(stub.serviceKey), ...limits });
  const ask = (change: Partial<ChatRequest> = {}) => model.complete(makeRequest(change));
  return { ask, stub: { ...stub, arrival } };
}

function createModel(options: Partial<AiCoreOptions>): ChatModel {
  const usual = { concurrency: 4, timeoutMs: 5000, attempts: 3 };
  const connection = createAiCoreConnection({ ...usual, ...options }).restrictTo(allowAll());
  const deployments = createOrchestrationDeployments(connection.clock);
  return createOrchestrationChatModel(connection, deployments);
}

function makeRequest(change: Partial<ChatRequest>): ChatRequest {
  return {
    resourceGroup: 'default',
    model: 'gpt-4.1-mini',
    messages: [instruction, question],
    maxTokens: 100,
    timeoutMs: 5000,
    signal: AbortSignal.timeout(10_000),
    ...change,
  };
}

async function failMocked(answer: MockedAnswer): Promise<Error> {
  const { serviceKey } = mockAiCore({ completions: [answer] });
  const model = createModel({ serviceKey: parseServiceKey(serviceKey) });
  return model.complete(makeRequest({})).then(
    () => {
      throw new Error('The model replied');
    },
    (error: Error) => error,
  );
}

function withoutUsage(): object {
  const { final_result: result, ...rest } = completionAnswer({ content: 'brake' });
  return { ...rest, final_result: { ...result, usage: undefined } };
}

function withRefusal(refusal: string): object {
  const answer = completionAnswer();
  const message = { role: 'assistant', content: '', refusal };
  return { ...answer, final_result: { ...answer.final_result, choices: [{ index: 0, message }] } };
}

function ignore(): void {}
