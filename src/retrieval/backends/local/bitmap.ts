/** A set of small whole numbers, one bit each. */
export type Bitmap = Uint32Array;

export function createBitmap(size: number): Bitmap {
  return new Uint32Array(Math.ceil(size / 32));
}

export function addBit(bitmap: Bitmap, index: number): void {
  bitmap[index >>> 5] = (bitmap[index >>> 5] as number) | (1 << (index & 31));
}

export function hasBit(bitmap: Bitmap, index: number): boolean {
  return ((bitmap[index >>> 5] as number) & (1 << (index & 31))) !== 0;
}

/** What is in any of the bitmaps, which are of one size. */
export function uniteBitmaps(bitmaps: readonly Bitmap[]): Bitmap {
  const united = new Uint32Array(bitmaps[0]?.length ?? 0);
  for (const bitmap of bitmaps) {
    for (const [word, bits] of bitmap.entries()) united[word] = (united[word] as number) | bits;
  }
  return united;
}
