import type { FastifySchemaValidationError } from 'fastify';
import { RequestValidationError } from 'fastify-zod-openapi';
import type { z } from 'zod';

import { maxInputErrors, type InputError } from '../../errors.ts';

type Issue = z.core.$ZodIssue;

const partByContext: Record<string, string> = { querystring: 'query' };

/** What Fastify's validation found, as places in the request. */
export function listIssues(
  errors: readonly FastifySchemaValidationError[],
  context: string,
): InputError[] {
  const pointer = `/${partByContext[context] ?? context}`;
  return errors
    .slice(0, maxInputErrors)
    .filter((error): error is RequestValidationError => error instanceof RequestValidationError)
    .flatMap((error) => toInputErrors(error.params.issue, pointer))
    .slice(0, maxInputErrors);
}

/** What zod found, as places below `pointer`. */
export function toInputErrors(issue: Issue, pointer: string): InputError[] {
  const place = `${pointer}${toPointer(issue.path)}`;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxInputErrors).map((key) => ({
      pointer: `${place}${toPointer([key])}`,
      detail: 'is not a known field',
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return closestBranch(issue.errors).flatMap((inner) => toInputErrors(inner, place));
  }
  if (issue.code === 'invalid_key' && issue.issues.length > 0) {
    return issue.issues.flatMap((inner) => toInputErrors(inner, place));
  }
  return [{ pointer: place, detail: describe(issue) }];
}

/** Of the forms a value may have, the one it was most likely meant to be: whose type fits, and that got furthest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const rank = (issues: readonly Issue[]) => {
    const isOtherType = issues.some(
      ({ code, path }) => code === 'invalid_type' && path.length === 0,
    );
    return (isOtherType ? 1000 : 0) + issues.length;
  };
  return branches.toSorted((a, b) => rank(a) - rank(b))[0] ?? [];
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function describe(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return 'is missing';
  }
  // A request without a body has null for one.
  const isWhole = issue.code === 'invalid_type' && issue.path.length === 0;
  if (isWhole && issue.expected === 'object' && issue.message.endsWith('received null')) {
    return 'is missing or null, and must be an object';
  }
  return toPlainWords(issue) ?? issue.message;
}

/** What is expected, with an example, in place of a validator's words; undefined where the message is our own. */
function toPlainWords(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type') {
    const [, received = ''] = /received (\w+)$/.exec(issue.message) ?? [];
    if (received === '') return undefined;
    return `must be ${nounOf(issue.expected)}, not ${shortNounOf(received)}`;
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid ')) {
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return `must ${boundOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum))}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must ${boundOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum))}`;
  }
  return undefined;
}

const nouns: Readonly<Record<string, readonly [short: string, example: string]>> = {
  array: ['a list', ', for example ["a", "b"]'],
  object: ['an object', ', for example {"name": "a"}'],
  record: ['an object', ', for example {"D07": 2}'],
  string: ['a text', ', for example "a"'],
  number: ['a number', ', for example 0.5'],
  int: ['a whole number', ', for example 10'],
  boolean: ['true or false', ''],
};

function nounOf(type: string): string {
  return nouns[type]?.join('') ?? type;
}

function shortNounOf(type: string): string {
  return nouns[type]?.[0] ?? type;
}

function boundOf(origin: string, relation: string, bound: number): string {
  if (origin === 'array') return `have ${relation} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  if (origin === 'string') return `have ${relation} ${bound} characters`;
  return `be ${relation} ${bound}`;
}
