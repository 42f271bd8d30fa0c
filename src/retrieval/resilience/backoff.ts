const firstMs = 500;
const maxMs = 20_000;

/**
 * How long to wait before a retry: anything between nothing and a bound that doubles with each failure
 * ("full jitter"), so that workers that failed together do not come back together.
 */
export function drawBackoffMs(failures: number, random: () => number): number {
  return random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
