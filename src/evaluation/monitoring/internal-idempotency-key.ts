/**
 * An idempotency key that the service makes for itself. No client can send one: the arrow cannot stand
 * in a header.
 */
export function internalIdempotencyKey(
  kind: 'schedule' | 'job-run',
  ...parts: readonly string[]
): string {
  return [kind, ...parts].join('→');
}
