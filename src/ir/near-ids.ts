/**
 * The form in which ids are alike that differ only in what the eye or a tool overlooks: case, white space and
 * characters without width, the form of Unicode, dashes and quotation marks, percent-encoding, and whole numbers
 * written `1.0`, `1e3` or `007`.
 */
function foldId(id: string): string {
  if (plainId.test(id)) return foldNumber(id.toLowerCase());
  const visible = decode(id)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\p{Z}\p{Variation_Selector}]+/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/^["'“”„‘’‚]+|["'“”‘’]+$/g, '');
  // ß becomes SS and then ss, and the two forms of sigma become one.
  return foldNumber(visible.toUpperCase().toLowerCase());
}

const plainId = /^[\w.-]+$/;

/** Decodes what is percent-encoded, once or several times, and keeps what only looks like it. */
function decode(id: string): string {
  let decoded = id.replaceAll(/(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])/gu, ' ');
  for (let round = 0; round < maxEncodings && decoded.includes('%'); round += 1) {
    decoded = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodePart);
  }
  return decoded;
}

const maxEncodings = 3;

function decodePart(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** A whole number as a tool may have written it; any other text as it is. */
function foldNumber(text: string): string {
  const first = text.charCodeAt(0);
  if (first !== plusSign && (first < digitZero || first > digitNine)) return text;
  const [, digits] = /^\+?0*(\d{1,15})(?:[.,]0+)?$/.exec(text) ?? [];
  if (digits !== undefined) return digits;
  if (!/^\d(?:[.,]\d+)?e\+?\d{1,2}$/.test(text)) return text;
  const value = Number(text.replace(',', '.'));
  return Number.isSafeInteger(value) ? String(value) : text;
}

const [plusSign, digitZero, digitNine] = [0x2b, 0x30, 0x39];

/**
 * What of a folded id may be another's whole id: its last path segment, its text without extension, query or
 * fragment, and its text without the number of a chunk. Without the id itself.
 */
function listCores(folded: string): readonly string[] {
  const plain = folded.replace(/(?<=.)[?#].*$/, '');
  const name = lastSegment(plain);
  const stems = [plain, name].flatMap((text) => [text, dropExtension(text)]);
  const cores = [folded, ...stems].flatMap((text) => [text, dropChunk(text)]);
  return [...new Set(cores.map(foldNumber))].filter((core) => core !== '' && core !== folded);
}

function lastSegment(text: string): string {
  return text.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
}

function dropExtension(text: string): string {
  return text.replace(/(?<=.)\.[a-z][a-z0-9]{0,4}$/, '');
}

/** `7-chunk-0`, `7#2`, `7_p3`, `7::part-1`. */
function dropChunk(text: string): string {
  return text.replace(
    /(?<=.)[-_#:@./|]+(?:(?:chunk|part|passage|paragraph|section|segment|page|p|c)[-_#:./]*)?\d+$/,
    '',
  );
}

export interface NearIds {
  readonly found: string;
  readonly wanted: string;
}

/** The ids wanted, ready to be asked which of them another id nearly is. */
export interface NearMissFinder {
  /** Undefined: it is one of them, or near none. */
  readonly find: (id: string) => NearIds | undefined;
  /** As `find`, also where one id is a part of the other, or where both name the same file in different places. */
  readonly findLoosely: (id: string) => NearIds | undefined;
}

export function createNearMissFinder(wanted: Iterable<string>): NearMissFinder {
  const ids = new Set(wanted);
  const folded = new Map([...ids].map((id) => [foldId(id), id]));
  const cores = new Map<string, string>();
  let areCoresKnown = false;

  function findCore(core: string): string | undefined {
    if (!areCoresKnown) {
      for (const [fold, id] of folded) for (const each of listCores(fold)) cores.set(each, id);
      areCoresKnown = true;
    }
    return cores.get(core);
  }

  function find(id: string): NearIds | undefined {
    const near = ids.has(id) ? undefined : folded.get(foldId(id));
    return near === undefined ? undefined : { found: id, wanted: near };
  }

  function findLoosely(id: string): NearIds | undefined {
    if (ids.has(id)) return undefined;
    const fold = foldId(id);
    const own = listCores(fold);
    const candidates = [
      folded.get(fold),
      ...own.map((core) => folded.get(core)),
      findCore(fold),
      // Other folders, the same file name with its extension.
      hasFolder(fold) ? findCore(lastSegment(fold)) : undefined,
    ];
    const near = candidates.find((candidate) => candidate !== undefined);
    return near === undefined ? undefined : { found: id, wanted: near };
  }

  return { find, findLoosely };
}

function hasFolder(text: string): boolean {
  return /[/\\]./.test(text) && /\.[a-z][a-z0-9]{0,4}$/.test(text);
}

/** An id for a message: what cannot be seen is written as its code point. */
export function quoteId(id: string): string {
  const shown = id.length > maxShown ? `${id.slice(0, maxShown).toWellFormed()}…` : id;
  const visible = shown.replaceAll(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, toCodePoint);
  return `'${visible}'`;
}

const maxShown = 100;

function toCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
}
