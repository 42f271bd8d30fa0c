export interface RateLimit {
  readonly requestsPerSecond: number;
  /** What the refusal's `Retry-After` says; 1 unless given. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Says for one request after the other whether it is within the limit. A refused one does not count. */
export function createRateLimiter(
  { requestsPerSecond }: RateLimit,
  now: () => number,
): () => boolean {
  const admitted: number[] = [];
  return () => {
    const time = now();
    while (admitted[0] !== undefined && admitted[0] <= time - 1000) admitted.shift();
    if (admitted.length >= requestsPerSecond) return false;
    admitted.push(time);
    return true;
  };
}
