/** Counts how often the event loop turns. */
export function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let timer = setImmediate(count);
  function count(): void {
    turns += 1;
    timer = setImmediate(count);
  }
  return {
    end() {
      clearImmediate(timer);
      return turns;
    },
  };
}
