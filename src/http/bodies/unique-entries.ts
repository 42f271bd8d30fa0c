import { maxInputErrors, type InputError } from '../../errors.ts';
import { refuse } from './line-body.ts';

/** Turns entries of a body into records as they arrive; ids that come twice are refused with both their places. */
export async function collectUnique<Value extends { readonly id: string }, Record>(
  entries: AsyncIterable<{ readonly value: Value; readonly line?: number }>,
  options: {
    /** The name of the list in a JSON body. */
    readonly collection: string;
    readonly toRecord: (value: Value, position: number) => Record;
  },
): Promise<readonly Record[]> {
  const places = new Map<string, { readonly position: number; readonly line?: number }>();
  const records: Record[] = [];
  const errors: InputError[] = [];
  for await (const { value, line } of entries) {
    const position = records.length;
    const first = places.get(value.id);
    if (first) {
      const where = first.line === undefined ? `entry ${first.position + 1}` : `line ${first.line}`;
      const pointer = `/body/${options.collection}/${position}/id`;
      const detail = `duplicate id '${value.id}', already used in ${where}`;
      errors.push({ pointer, ...(line !== undefined && { line }), detail });
    } else places.set(value.id, { position, ...(line !== undefined && { line }) });
    if (errors.length >= maxInputErrors) break;
    records.push(options.toRecord(value, position));
  }
  refuse(errors);
  return records;
}

/** A list that is there whole, as entries. */
export async function* toEntries<Value>(
  values: readonly Value[],
): AsyncGenerator<{ readonly value: Value }> {
  for (const value of values) yield { value };
}
