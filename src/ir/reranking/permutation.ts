/**
 * The order that a model's reply such as `[2] > [3] > [1]` names, as places from 0: only numbers of candidates,
 * each where it is named first. Anything else in the reply means nothing.
 */
export function parsePermutation(reply: string, candidates: number): readonly number[] {
  const named = [...reply.matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits) - 1);
  return [...new Set(named)].filter((place) => place >= 0 && place < candidates);
}

/** An order of all candidates: those that `order` names first, each once, and the others as they were. */
export function completeOrder(order: readonly number[], candidates: number): readonly number[] {
  const all = Array.from({ length: candidates }, (_, place) => place);
  const named = new Set(order.filter((place) => all[place] === place));
  return [...named, ...all.filter((place) => !named.has(place))];
}
