/** Beyond this many digits, a number that people write, such as 0.95 or 25, has only rounding noise. */
const digits = 12;

/**
 * The level of a test, one minus its confidence, as people mean it: 0.05 for 0.95, where subtraction of doubles
 * leaves 0.05000000000000004. A p that equals the level counts as reaching it, so the last bit would decide.
 */
export function levelOf(confidence: number): number {
  return withoutNoise(1 - confidence);
}

/** The number without the rounding noise of the few operations that made it. */
export function withoutNoise(value: number): number {
  return Number(value.toPrecision(digits));
}
