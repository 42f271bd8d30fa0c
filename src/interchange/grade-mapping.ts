import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { quote } from '../ir/trec/trec-line-error.ts';

/** How the values of a file become grades. */
export type GradeMapping = (value: string) => number;

const example = 'for example ?grades=0.5:1,0.8:2 (0.5 and more is 1, 0.8 and more is 2, less is 0)';

/**
 * Reads `0.5:1,0.8:2` (a value of at least 0.5 has grade 1, of at least 0.8 grade 2, a lower one 0) or
 * `exact:2,partial:1,none:0` (each word has its grade, case does not matter, other words are refused).
 */
export function parseGradeMapping(text: string): GradeMapping {
  const pairs = text.split(',').map((part) => {
    const [, from = '', grade = ''] = /^\s*(.+?)\s*:\s*([+-]?\d+)\s*$/.exec(part) ?? [];
    if (from === '') {
      throw new InterchangeError(`${quote(part)} is not a value and a grade, ${example}`);
    }
    return { from, grade: Number(grade) };
  });
  const names = pairs.map(({ from }) => from.toLowerCase());
  if (new Set(names).size < names.length) {
    throw new InterchangeError('a value of the mapping stands twice');
  }
  const isNumeric = pairs.map(({ from }) => Number.isFinite(Number(from)));
  if (isNumeric.every(Boolean)) return createThresholds(pairs);
  if (isNumeric.some(Boolean)) throw new InterchangeError('a mapping has either numbers or words');
  const grades = new Map(pairs.map(({ from, grade }) => [from.toLowerCase(), grade]));
  return (value) => {
    const grade = grades.get(value.trim().toLowerCase());
    if (grade !== undefined) return grade;
    throw new InterchangeError(`the grade ${quote(value)} is not in ?grades=`);
  };
}

function createThresholds(
  pairs: readonly { readonly from: string; readonly grade: number }[],
): GradeMapping {
  const steps = pairs
    .map(({ from, grade }) => ({ from: Number(from), grade }))
    .toSorted((a, b) => b.from - a.from);
  if (steps.some(({ grade }, index) => grade < (steps[index + 1]?.grade ?? 0))) {
    throw new InterchangeError('a higher value must not have a lower grade');
  }
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) {
      throw new InterchangeError(`the grade ${quote(text)} is not a number`);
    }
    return steps.find(({ from }) => value >= from)?.grade ?? 0;
  };
}

/** A whole number, also where a program wrote it as `1.0`. */
export function readWholeGrade(text: string): number {
  const grade = /^[+-]?\d+(?:\.0*)?$/.test(text) ? Number(text) : Number.NaN;
  // + 0 turns -0 into 0.
  if (Number.isSafeInteger(grade)) return grade + 0;
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text.replace(',', '.')));
  const way = isNumber
    ? `; say which values have which grade, ${example}`
    : '; grades are whole numbers, 0 or less is not relevant, or words that ?grades= maps, for example ?grades=yes:1,no:0';
  throw new InterchangeError(`the grade ${quote(text)} is not a whole number${way}`);
}
