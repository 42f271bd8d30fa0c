import { describe, expect, it } from 'vitest';

import { SearchFailure } from '../../../../src/retrieval/search-failure.ts';
import { createCircuitBreaker } from '../../../../src/retrieval/resilience/circuit-breaker.ts';

const refusal = () => new SearchFailure('status', 'Not allowed', { status: 403, requestId: 'r-1' });
const tooLong = () => new SearchFailure('status', 'Too long', { status: 422 });
const busy = () => new SearchFailure('status', 'Busy', { status: 503 });

describe('createCircuitBreaker', () => {
  it('calls no more after five identical refusals, however many ask at once', async () => {
    const { outcomes, calls } = await runAll(Array.from({ length: 40 }, () => refusal));
    expect(calls).toBe(5);
    expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'Not allowed'));
    expect(new Set(outcomes.slice(5))).toEqual(
      new Set([
        'Not searched: the previous 5 searches were all refused for the same reason. Not allowed',
      ]),
    );
  });

  it.each([
    ['refusals that differ', [refusal, tooLong]],
    ['refusals between answers', [refusal, () => undefined]],
    ['failures that may pass', [busy]],
  ])('goes on after %s', async (_case, kinds) => {
    const replies = Array.from({ length: 40 }, (_, index) => kinds[index % kinds.length]!);
    expect((await runAll(replies)).calls).toBe(40);
  });

  it('stops a configuration that is refused from some point on', async () => {
    const replies = Array.from({ length: 40 }, (_, index) =>
      index < 10 ? () => undefined : refusal,
    );
    const stop = createCircuitBreaker();
    let calls = 0;
    for (const reply of replies) await runOne(stop, reply, () => (calls += 1));
    expect(calls).toBe(15);
  });

  it('lets calls run side by side once one was answered', async () => {
    const stop = createCircuitBreaker();
    await stop.run(() => Promise.resolve());
    let under = 0;
    const call = async () => {
      under += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return under;
    };
    await expect(Promise.all([stop.run(call), stop.run(call), stop.run(call)])).resolves.toEqual([
      3, 3, 3,
    ]);
  });
});

type ReplyOf = () => SearchFailure | undefined;

async function runAll(replies: readonly ReplyOf[]) {
  const stop = createCircuitBreaker();
  let calls = 0;
  const count = () => (calls += 1);
  const outcomes = await Promise.all(replies.map((reply) => runOne(stop, reply, count)));
  return { outcomes, calls };
}

function runOne(
  stop: ReturnType<typeof createCircuitBreaker>,
  reply: ReplyOf,
  onCall: () => void,
): Promise<string> {
  const call = () => {
    onCall();
    const failure = reply();
    return failure ? Promise.reject(failure) : Promise.resolve('answered');
  };
  return stop.run(call).catch((error: unknown) => (error as Error).message);
}
