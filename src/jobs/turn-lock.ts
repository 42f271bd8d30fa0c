/** Runs many tasks in parallel, or one exclusively. */
export interface TurnLock {
  /** Does the work when its turn comes, in the order of the calls. */
  readonly run: <Value>(mode: 'beside' | 'alone', work: () => Promise<Value>) => Promise<Value>;
}

export function createTurnLock(): TurnLock {
  const waiting: { readonly mode: 'beside' | 'alone'; readonly start: () => void }[] = [];
  let beside = 0;
  let isAlone = false;

  function startNext(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (isAlone || (next.mode === 'alone' && beside > 0)) return;
      waiting.shift();
      if (next.mode === 'alone') isAlone = true;
      else beside += 1;
      next.start();
    }
  }

  return {
    async run(mode, work) {
      await new Promise<void>((resolve) => {
        waiting.push({ mode, start: resolve });
        startNext();
      });
      try {
        return await work();
      } finally {
        if (mode === 'alone') isAlone = false;
        else beside -= 1;
        startNext();
      }
    },
  };
}
