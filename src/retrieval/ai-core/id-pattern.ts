import { RE2JS } from 're2js';

/** Larger programs than this are not patterns for ids, and cost time with every chunk. */
const maxProgramSize = 5000;

/** Reads the part of a value that is the id; undefined where the pattern does not match or matches nothing. */
export type ReadByPattern = (value: string) => string | undefined;

/**
 * Compiles a regular expression of RE2's syntax, whose matching takes time in proportion to the value: no
 * pattern can hold the service up. Throws a TypeError that says what is wrong with the pattern.
 */
export function compileIdPattern(pattern: string): ReadByPattern {
  const compiled = compile(pattern.normalize('NFC'));
  const groups = compiled.groupCount();
  if (groups !== 1) {
    throw new TypeError(`must have exactly one capture group for the id, but has ${groups}`);
  }
  if (compiled.programSize() > maxProgramSize) throw new TypeError('is too large');
  return (value) => {
    const id: unknown = compiled.exec(value)?.[1];
    return typeof id === 'string' ? id : undefined;
  };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it does not compile';
    throw new TypeError(
      `is not a valid RE2 regular expression (look-around and back-references are not supported): ${reason}`,
      { cause },
    );
  }
}
