/** The value at an index. Throws RangeError outside the array, so that a wrong index never becomes a NaN in a result. */
export function numberAt(values: Readonly<ArrayLike<number>>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no value at index ${index}`);
  return value;
}
