import { describe, expect, it } from 'vitest';

import { createFaultChooser, type FaultRule } from '../../../packages/testing/src/fault-rule.ts';
import { faults } from '../../../packages/testing/src/faults.ts';
import type { StubRequest } from '../../../packages/testing/src/stub-request.ts';

const [fault, other] = [faults.reset(), faults.hang()];

describe('createFaultChooser', () => {
  it.each<[string, Partial<FaultRule>, Partial<StubRequest>, boolean]>([
    ['a search by a rule without conditions', {}, {}, true],
    ['no token request by a rule for searches', {}, { endpoint: 'token' }, false],
    ['an endpoint', { endpoint: 'token' }, { endpoint: 'token' }, true],
    ['another endpoint', { endpoint: 'token' }, {}, false],
    ['a resource group', { resourceGroup: 'one' }, { resourceGroup: 'one' }, true],
    ['another resource group', { resourceGroup: 'one' }, { resourceGroup: 'two' }, false],
    ['a question', { question: 'apple' }, { question: 'apple' }, true],
    ['no part of a question', { question: 'apple' }, { question: 'apples' }, false],
    ['a pattern', { question: /^app/g }, { question: 'apples' }, true],
    ['another pattern', { question: /^pear/ }, { question: 'apples' }, false],
  ])('meets %s', (_case, rule, asked, isMet) => {
    const choose = createFaultChooser([{ fault, ...rule }]);
    expect(choose(makeRequest(asked))).toBe(isMet ? fault : undefined);
  });

  it('picks requests by their number among those that meet the conditions', () => {
    const choose = createFaultChooser([{ fault, question: 'apple', nth: [2, 4] }]);
    const questions = ['apple', 'pear', 'apple', 'apple', 'apple'];
    const chosen = questions.map((question) => choose(makeRequest({ question })));
    expect(chosen).toEqual([undefined, undefined, fault, undefined, fault]);
  });

  it('picks the first ones', () => {
    const choose = createFaultChooser([{ fault, first: 2 }]);
    const chosen = [1, 2, 3].map(() => choose(makeRequest({})));
    expect(chosen).toEqual([fault, fault, undefined]);
  });

  it('lets the first rule that applies decide, while each counts for itself', () => {
    const choose = createFaultChooser([
      { fault, first: 1 },
      { fault: other, nth: [1, 2] },
    ]);
    const chosen = [1, 2, 3].map(() => choose(makeRequest({})));
    expect(chosen).toEqual([fault, other, undefined]);
  });

  it('picks about the share that is asked for', () => {
    const choose = createFaultChooser([{ fault, probability: 0.3, seed: 5 }]);
    const questions = Array.from({ length: 2000 }, (_, index) => `question ${index}`);
    const chosen = questions.filter((question) => choose(makeRequest({ question })));
    // Three standard deviations of 2,000 draws: 3 · √(0.3 · 0.7 · 2000) = 61.
    expect(Math.abs(chosen.length - 600)).toBeLessThan(61);
  });

  it('picks the same by one seed, in whatever order they come, and others by another', () => {
    const questions = Array.from({ length: 100 }, (_, index) => `question ${index}`);
    expect(pick(1, questions.toReversed())).toEqual(pick(1, questions));
    expect(pick(2, questions)).not.toEqual(pick(1, questions));
  });

  it.each([
    [0, 0],
    [1, 50],
  ])('picks by a probability of %d %d of 50', (probability, count) => {
    const choose = createFaultChooser([{ fault, probability }]);
    const attempts = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(attempts.filter((attempt) => choose(makeRequest({ attempt })))).toHaveLength(count);
  });
});

function pick(seed: number, questions: readonly string[]): readonly string[] {
  const choose = createFaultChooser([{ fault, probability: 0.5, seed }]);
  return questions.filter((question) => choose(makeRequest({ question }))).toSorted();
}

function makeRequest(fields: Partial<StubRequest>): StubRequest {
  return {
    endpoint: 'search',
    method: 'POST',
    path: '/',
    query: {},
    headers: {},
    resourceGroup: 'default',
    body: {},
    question: 'apple',
    attempt: 1,
    arrivedAt: 0,
    socket: 1,
    ...fields,
  };
}
