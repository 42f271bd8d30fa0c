export interface ReaderOptions {
  /** The size of the text where it is known: room for it is made once. Any number is safe. */
  readonly expectedBytes?: number;
}

const minLines = 1 << 12;
const maxLines = 1 << 26;
/** A short line of a run, such as `q12 Q0 d7 3 4.5 t`. */
const shortLine = 24;

/** How many lines to make room for. */
export function roomFor(expectedBytes: number): number {
  return Math.min(Math.max(Math.ceil(expectedBytes / shortLine), minLines), maxLines);
}
