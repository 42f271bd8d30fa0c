import { CommandError } from '../exit-codes.ts';
import { ServiceProblem } from '../service/service-problem.ts';
import type { LoadedRunFile } from './load-run-file.ts';

/** Does what a file asks for. What the service refuses of the request is told by its place in the file. */
export async function inRunFile<Result>(
  { tell }: Pick<LoadedRunFile, 'tell'>,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const isOfRequest = error instanceof ServiceProblem && !error.isOfFile;
    if (!isOfRequest || error.errors.length === 0) throw error;
    const told = error.errors.map(({ pointer, detail }) => tell(toPath(pointer), detail));
    throw new CommandError(told.join('\n'), error.exitCode, error);
  }
}

/** A pointer into the request as a path in the file, which has the baseline of a gate at its top. */
function toPath(pointer: string): readonly (string | number)[] {
  const [, ...steps] = pointer.split('/').slice(1);
  const path = steps.map((step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d+$/.test(key) ? Number(key) : key;
  });
  return path[0] === 'gate' && path[1] === 'baseline' ? ['baseline'] : path;
}
