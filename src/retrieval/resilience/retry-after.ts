/** No server is waited for longer than this, whatever it asks. */
export const maxRetryAfterMs = 60_000;

/**
 * Milliseconds that a Retry-After header asks to wait: its seconds, or the time until its date. 0 for a date
 * that has passed. At most a minute. Undefined when there is no such header, or none that can be read.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string' && typeof header !== 'number') return undefined;
  const text = String(header).trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : toDate(text) - now;
  if (Number.isNaN(ms)) return undefined;
  return Math.min(maxRetryAfterMs, Math.max(0, ms));
}

/** NaN for what is no date of HTTP: `Date.parse` alone would take "-5" for one. */
function toDate(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
}
