import { quote } from '../trec/trec-line-error.ts';
import { InterchangeError } from './interchange-error.ts';

/** Refuses an id that no format holds: an empty one, and one without a UTF-8 form. Gives the id back. */
export function checkId(id: string, what: string): string {
  if (id === '') throw new InterchangeError(`the ${what} is empty`);
  if (!id.isWellFormed()) {
    throw new InterchangeError(`the ${what} ${quote(id)} is not valid Unicode`);
  }
  return id;
}
