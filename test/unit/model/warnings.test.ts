import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import {
  completeWarning,
  orderWarnings,
  toWarning,
  warningSeverities,
  type Severity,
  type WarningCode,
} from '../../../src/model/warnings.ts';

const warn = (code: WarningCode, severity?: Severity) =>
  toWarning({ code, severity, message: code }, 1);
const codesOf = (warnings: ReturnType<typeof orderWarnings>) => warnings.map(({ code }) => code);

describe('orderWarnings', () => {
  it('puts the most severe first, and keeps the order of those alike', () => {
    const ordered = orderWarnings([
      warn('perfect-mean'),
      warn('leaks'),
      warn('rising-scores'),
      warn('short-ranking'),
    ]);

    expect(codesOf(ordered)).toEqual(['rising-scores', 'leaks', 'short-ranking', 'perfect-mean']);
  });

  it.each<[WarningCode, WarningCode]>([
    ['questions-not-in-run', 'nothing-returned'],
    ['filter-passes-nothing', 'short-ranking'],
    ['filter-passes-nothing', 'unknown-filter-key'],
    ['no-lexicon', 'nothing-returned'],
    ['nothing-returned', 'short-ranking'],
    ['unmapped-chunks', 'no-judged-document-returned'],
    ['no-judged-document-returned', 'low-judged'],
  ])('omits what an error explains: %s explains %s', (cause, effect) => {
    expect(codesOf(orderWarnings([warn(effect), warn(cause, 'error')]))).toEqual([cause]);
  });

  it('keeps what only a part of the questions explains', () => {
    const ordered = orderWarnings([warn('short-ranking'), warn('questions-not-in-run')]);

    expect(codesOf(ordered)).toEqual(['short-ranking', 'questions-not-in-run']);
  });
});

describe('completeWarning', () => {
  it('gives a stored warning without severity that of its code', () => {
    const { severity: _severity, ...stored } = warn('no-judged-document-returned');

    expect(completeWarning(stored).severity).toBe('error');
  });
});

describe('the table of warnings in the guide', () => {
  const [, table = ''] = readFileSync('docs/guide.md', 'utf8').split('\n## Warnings\n');
  const [rows = ''] = table.split('\n## ');
  const documented = [...rows.matchAll(/^\| `([a-z-]+)` +\| ([a-z]+)/gm)].map(
    ([, code, severity]) => ({ code, severity }),
  );

  it('has every warning once', () => {
    expect(new Set(documented.map(({ code }) => code))).toEqual(
      new Set(Object.keys(warningSeverities)),
    );
    expect(documented).toHaveLength(Object.keys(warningSeverities).length);
  });

  it.each(documented)('gives $code a known severity', ({ severity }) => {
    expect(['error', 'warning', 'note']).toContain(severity);
  });
});
