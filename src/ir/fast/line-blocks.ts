import { TrecLineError } from '../trec/trec-line-error.ts';

/** Takes a text as chunks of bytes, cut anywhere. */
export interface ByteSink {
  add(chunk: Uint8Array): void;
  /** The text is over. */
  end(): void;
}

/** Whole lines: `bytes` from `start` to `end`, each with its line feed. */
export type ReadBlock = (bytes: Uint8Array, start: number, end: number) => void;

const lineFeed = 0x0a;
const maxLineLength = 2 ** 20;

/** Hands chunks on as blocks of whole lines, copying only the line that a chunk ends in. The last line may lack its line feed. */
export function createLineBlocks(readBlock: ReadBlock): ByteSink {
  let rest: Uint8Array = new Uint8Array(0);
  return {
    add(chunk) {
      // A Buffer is a class of its own, which would make every access to bytes slower.
      const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
      const end = bytes.lastIndexOf(lineFeed) + 1;
      if (end === 0) {
        rest = join(rest, bytes);
        return;
      }
      let start = 0;
      if (rest.length > 0) {
        start = bytes.indexOf(lineFeed) + 1;
        const line = join(rest, bytes.subarray(0, start));
        readBlock(line, 0, line.length);
      }
      readBlock(bytes, start, end);
      rest = bytes.slice(end);
    },
    end() {
      if (rest.length > 0) readBlock(join(rest, Uint8Array.of(lineFeed)), 0, rest.length + 1);
      rest = new Uint8Array(0);
    },
  };
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length + second.length > maxLineLength) {
    throw new TrecLineError(`a line is longer than ${maxLineLength} bytes`);
  }
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
