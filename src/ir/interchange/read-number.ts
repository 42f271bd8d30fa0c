import { quote } from '../trec/trec-line-error.ts';
import { InterchangeError } from './interchange-error.ts';

/** The score that a column holds: a finite decimal number, with an exponent or without. */
export function readScore(text: string): number {
  const isDecimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text);
  const score = isDecimal ? Number(text) : Number.NaN;
  if (!Number.isFinite(score)) {
    throw new InterchangeError(`the score ${quote(text)} is not a finite number`);
  }
  return score + 0;
}

/** Refuses a grade that could not be read again. */
export function checkGrade(grade: unknown): number {
  if (typeof grade !== 'number' || !Number.isSafeInteger(grade)) {
    throw new InterchangeError(
      `the grade ${quote(JSON.stringify(grade) ?? '')} is not a whole number`,
    );
  }
  return grade + 0;
}

/** Refuses a score that could not be read again. */
export function checkScore(score: unknown): number {
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    throw new InterchangeError(`the score ${quote(String(score))} is not a finite number`);
  }
  return score + 0;
}
