/** Rounded for a reader; JSON and CSV have full precision. */
export function round(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(4);
}

/** With its sign, as of a difference. */
export function signed(value: number | null | undefined): string {
  return value !== null && value !== undefined && value >= 0 ? `+${round(value)}` : round(value);
}
