import { describe, expect, it } from 'vitest';

import { mockAiCore, startAiCoreStub } from '../../../packages/testing/src/index.ts';

/** As JavaScript calls it, which no compiler checks. */
const start = startAiCoreStub as (options: unknown) => Promise<unknown>;
const mock = mockAiCore as (options: unknown) => unknown;

describe('startAiCoreStub', () => {
  it.each([
    [[], 'startAiCoreStub: options must be an object'],
    [{ repository: [] }, /^startAiCoreStub: unknown option 'repository'; known are corpus, /],
    [{ courpus: [] }, "startAiCoreStub: unknown option 'courpus'; did you mean 'corpus'?"],
    [{ corpus: 'docs.json' }, 'startAiCoreStub: corpus must be a list of documents'],
    [{ corpus: [{ id: 'd1', paragraphs: [] }] }, 'startAiCoreStub: corpus.0.title must be a text'],
    [
      { corpus: [{ id: 'd1', title: 'a', paragraphs: 'text' }] },
      'startAiCoreStub: corpus.0.paragraphs must be a list of texts',
    ],
    [{ resourceGroups: 'default' }, 'startAiCoreStub: resourceGroups must be a list of texts'],
    [{ latencyMs: '20' }, /^startAiCoreStub: latencyMs must be a number of milliseconds or a/],
    [
      { faults: [{ fault: { type: 'reste' } }] },
      'startAiCoreStub: faults.0.fault.type must be one of answer, slow, truncated, reset, hang',
    ],
    [{ port: 70_000 }, 'startAiCoreStub: port must be at most 65535'],
    [{ reply: 'yes' }, 'startAiCoreStub: reply must be a function'],
  ])('refuses %j', async (options, message) => {
    await expect(start(options)).rejects.toThrow(TypeError);
    await expect(start(options)).rejects.toThrow(message);
  });
});

describe('mockAiCore', () => {
  it.each([
    [{ search: [] }, /^mockAiCore: unknown option 'search'; did you mean 'searches'/],
    [{ searches: { body: '' } }, 'mockAiCore: searches must be a list of answers'],
    [{ searches: [{ status: '500' }] }, 'mockAiCore: searches.0.status must be a whole number'],
    [{ url: 'ai-core' }, 'mockAiCore: url must be a URL'],
  ])('refuses %j', (options, message) => {
    expect(() => mock(options)).toThrow(TypeError);
    expect(() => mock(options)).toThrow(message);
  });
});
