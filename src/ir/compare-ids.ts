/**
 * Orders ids by code point, which is the order of their UTF-8 bytes (as `Buffer.compare` has it, a lone
 * surrogate counting as U+FFFD). JavaScript's own `<` puts ids beyond U+FFFF before U+E000.
 */
export function compareByCodePoint(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA === unitB) continue;
    if (unitA < firstSurrogate && unitB < firstSurrogate) return unitA - unitB;
    return compareWellFormed(a.toWellFormed(), b.toWellFormed());
  }
  return a.length - b.length;
}

const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;

function compareWellFormed(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference =
      toCodePointOrder(a.charCodeAt(index)) - toCodePointOrder(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points above U+FFFF, behind the units that they precede. */
function toCodePointOrder(unit: number): number {
  if (unit >= firstAfterSurrogates) return unit - 0x800;
  return unit >= firstSurrogate ? unit + 0x2000 : unit;
}
