/** Counts how often the event loop turns. */
export function countTurns() {
  let turns = 0;
  let timer = setImmediate(count);
  function count() {
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
