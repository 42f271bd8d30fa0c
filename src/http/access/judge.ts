import { InvalidInputError } from '../../errors.ts';
import { findNameIssue } from '../../schemas/user-name.ts';
import type { Principal } from './principal.ts';

/** A sender who signed in judges in their own name only. */
export function findJudge(
  named: string | undefined,
  { name }: Principal,
  pointer = '/body/judge',
): string {
  const judge = name ?? named;
  const detail = findJudgeIssue(named, name);
  if (judge !== undefined && detail === undefined) return judge;
  const errors = [{ pointer, detail: detail ?? required }];
  throw new InvalidInputError('Invalid judge', errors);
}

const required = 'is required without authentication';

function findJudgeIssue(named: string | undefined, name: string | null): string | undefined {
  if (name === null) return named === undefined ? required : findNameIssue(named);
  const isOwn = named === undefined || named === name;
  return isOwn ? undefined : 'is not the sender of the request; omit it';
}
