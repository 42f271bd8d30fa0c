import { TrecLineError } from '../trec/trec-line-error.ts';
import { createLineBlocks, type ByteSink } from './line-blocks.ts';
import { createScannedLine, scanLine, type ScannedLine } from './scan-line.ts';

/** What becomes of a line. */
export interface LineHandlers {
  /** Columns of an entry of this format. */
  readonly columns: number;
  /** Takes an entry in the usual form; false when a column is not in that form, and nothing was taken. */
  readonly takePlain: (line: ScannedLine) => boolean;
  /** Takes any other line as text, and throws a TrecLineError for one that is not an entry. */
  readonly takeText: (text: string, isFirst: boolean) => void;
}

const hash = 0x23;
/** First byte of a byte order mark. */
const markStart = 0xef;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads lines by their bytes where they have the usual form, and as text where they have not, so that
 * the two never disagree: comments, byte order marks, unusual numbers and issues are the business of one parser.
 */
export function createLineReader({ columns, takePlain, takeText }: LineHandlers): ByteSink {
  const line = createScannedLine();
  let number = 0;
  return createLineBlocks((bytes, start, end) => {
    line.bytes = bytes;
    line.next = start;
    while (line.next < end) {
      scanLine(line);
      number += 1;
      const first = bytes[line.starts[0] as number];
      const isPlain = line.columns === columns && first !== hash && first !== markStart;
      if (line.columns === 0 || (isPlain && takePlain(line))) continue;
      takeLine(number, () =>
        takeText(utf8.decode(bytes.subarray(line.start, line.next)), number === 1),
      );
    }
  });
}

function takeLine(number: number, take: () => void): void {
  try {
    take();
  } catch (error) {
    if (!(error instanceof TrecLineError)) throw error;
    throw new TrecLineError(`line ${number}: ${error.message}`, { cause: error });
  }
}
