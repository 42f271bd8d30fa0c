import { SearchFailure } from '../search-failure.ts';

/** Identical refusals in a row after which the rest of a configuration's searches is not sent. */
export const maxRefusals = 5;

/** Runs the calls of one configuration until AI Core has shown that it refuses them all. */
export interface CircuitBreaker {
  /** Throws an SearchFailure of kind `stopped`, without calling, once the configuration is stopped. */
  readonly run: <Answer>(call: () => Promise<Answer>) => Promise<Answer>;
}

/**
 * Until one call has got something other than a refusal, calls go one at a time, so that a configuration
 * that cannot work costs five searches and not five and all that were under way.
 */
export function createCircuitBreaker(): CircuitBreaker {
  let refusals: readonly SearchFailure[] = [];
  let isProven = false;
  let probes = Promise.resolve();

  function note(error: unknown): void {
    if (!(error instanceof SearchFailure && error.isRefusal)) {
      pass();
      return;
    }
    const isSame = refusals[0]?.message === error.message;
    refusals = isSame ? [...refusals, error] : [error];
  }

  function pass(): void {
    refusals = [];
    isProven = true;
  }

  async function runNow<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const [first] = refusals;
    if (first && refusals.length >= maxRefusals) throw toStop(first);
    try {
      const answer = await call();
      pass();
      return answer;
    } catch (error) {
      note(error);
      throw error;
    }
  }

  return {
    run(call) {
      if (isProven) return runNow(call);
      const turn = probes.then(() => (isProven ? undefined : runNow(call).then(toResult)));
      probes = turn.then(ignore, ignore);
      return turn.then((result) => (result ? result.answer : runNow(call)));
    },
  };
}

function toResult<Answer>(answer: Answer): { readonly answer: Answer } {
  return { answer };
}

function ignore(): void {}

function toStop(first: SearchFailure): SearchFailure {
  const message = `Not searched: the previous ${maxRefusals} searches were all refused for the same reason. ${first.message}`;
  return new SearchFailure('stopped', message, { cause: first, requestId: first.requestId });
}
