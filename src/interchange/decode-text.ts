import { InterchangeError } from '../ir/interchange/interchange-error.ts';

const newline = 0x0a;

/**
 * Decodes a file as it arrives. A byte order mark decides the encoding, else `encoding` does (a label of the
 * WHATWG Encoding Standard), else it is UTF-8. Bytes that the encoding does not have are refused with their
 * line: no encoding is guessed. The mark itself is dropped.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding?: string,
): AsyncGenerator<string> {
  const named = encoding === undefined ? 'utf-8' : checkEncoding(encoding);
  let decode: ((bytes: Uint8Array, isLast: boolean) => string) | undefined;
  let start: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (decode) {
      yield decode(chunk, false);
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (start.length < 4) continue;
    decode = createDecoder(start, named);
    yield decode(start, false);
  }
  decode ??= createDecoder(start, named);
  yield decode(start.length < 4 ? start : new Uint8Array(), true);
}

/** The canonical name of an encoding. Throws for a label that does not exist. */
export function checkEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    const reason = `the encoding '${label}' is not known; use for example utf-8, utf-16le, windows-1252 or iso-8859-15`;
    throw new InterchangeError(reason, { cause });
  }
}

function createDecoder(
  start: Uint8Array,
  named: string,
): (bytes: Uint8Array, isLast: boolean) => string {
  if (start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4) {
    const reason =
      'is no text: it begins like an Excel workbook or another archive; save the table as CSV';
    throw new InterchangeError(reason);
  }
  const encoding = readByteOrderMark(start) ?? named;
  if (encoding !== 'utf-8') return createStreamDecoder(encoding);
  if (start.length > 1 && (start[0] === 0 || start[1] === 0)) {
    const reason =
      'is not UTF-8 text: it has NUL bytes, like UTF-16 without a byte order mark; name the encoding, for example ?encoding=utf-16le';
    throw new InterchangeError(reason);
  }
  return createUtf8Decoder();
}

function readByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function createStreamDecoder(encoding: string): (bytes: Uint8Array, isLast: boolean) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  return (bytes, isLast) => {
    try {
      const text = decoder.decode(bytes, { stream: !isLast });
      lines += countLineEnds(text);
      return text;
    } catch (cause) {
      const reason = `is not valid ${encoding} from about this line on`;
      throw new InterchangeError(reason, { line: lines, cause });
    }
  };
}

/** Decodes whole lines, so that an issue has its line. */
function createUtf8Decoder(): (bytes: Uint8Array, isLast: boolean) => string {
  // One for the mark at the start, one for everything behind it.
  const first = new TextDecoder('utf-8', { fatal: true });
  const later = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest: Uint8Array = new Uint8Array();
  let lines = 1;
  let isStart = true;
  return (bytes, isLast) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = isLast ? all.length : all.length - incompleteLength(all);
    const whole = all.subarray(0, end);
    rest = all.subarray(end);
    try {
      const text = (isStart ? first : later).decode(whole);
      isStart &&= whole.length === 0;
      lines += countLineEnds(text);
      return text;
    } catch (cause) {
      throw locate(whole, lines, cause);
    }
  };
}

/** The length of a sequence at the end that the next chunk may complete. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
}

function locate(bytes: Uint8Array, firstLine: number, cause: unknown): InterchangeError {
  const loose = new TextDecoder('utf-8', { ignoreBOM: true });
  let start = 0;
  for (let line = firstLine; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    const text = loose.decode(bytes.subarray(start, end));
    const place = text.indexOf('\uFFFD');
    const isWrong = place !== -1 && !isUtf8(bytes.subarray(start, end));
    if (isWrong) {
      const byte = bytes[start + Buffer.byteLength(text.slice(0, place))] ?? 0;
      return new InterchangeError(describeByte(byte), { line, cause });
    }
    start = end + 1;
  }
  return new InterchangeError('is not valid UTF-8', { line: firstLine, cause });
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function describeByte(byte: number): string {
  const hex = byte.toString(16).toUpperCase().padStart(2, '0');
  const char = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  return `is not valid UTF-8: the byte 0x${hex} is '${char}' in Windows-1252; save the file as UTF-8, or name its encoding, for example ?encoding=windows-1252`;
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
