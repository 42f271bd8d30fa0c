import { existsSync, readFileSync } from 'node:fs';

/** Reference data beside the checkout. Tests that need it say so and are skipped where it is absent. */
const shared = '../shared';

/** Whether a folder of the reference data is there; prints why tests are skipped when it is not. */
export function hasShared(folder: string): boolean {
  const isThere = existsSync(`${shared}/${folder}`);
  if (!isThere) process.stderr.write(`skipped: no reference data in ${shared}/${folder}\n`);
  return isThere;
}

export function readShared(path: string): string {
  return readFileSync(`${shared}/${path}`, 'utf8');
}

export function readSharedJson<Value>(path: string): Value {
  return JSON.parse(readShared(path)) as Value;
}
