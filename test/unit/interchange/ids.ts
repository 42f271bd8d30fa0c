import fc from 'fast-check';

/** Ids as people have them, and any valid Unicode. */
export const anyId = fc.oneof(
  fc.constantFrom(
    'q 1',
    'D,1',
    'a"b',
    '"a"',
    "it's",
    'ä',
    '😀',
    '1',
    '=1+1',
    '__proto__',
    '#7',
    ' x ',
    'a\nb',
    'a\r\nb',
    'a\tb',
    '\uFEFFx',
  ),
  fc.string({ minLength: 1, unit: 'binary' }).filter((id) => id.isWellFormed()),
);

/** Those that a column of a BEIR qrels file holds. */
export const beirId = anyId.filter((id) => !/[\t\r\n]|^"/.test(id));

export const anyGrade = fc.integer({ min: -3, max: 100 });

export const anyScore = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  // -0 comes back as 0.
  .map((score) => score + 0);

/** Those that stay what they are in an object of JSON: none that is a whole number, which would come first, and none with blanks around it. */
export const plainId = anyId.filter(
  (id) =>
    !/^\d+$/.test(id) &&
    id !== '__proto__' &&
    !/^[\s\u180E\u200B-\u200F\u2060\uFEFF]|[\s\u180E\u200B-\u200F\u2060\uFEFF]$/u.test(id),
);
