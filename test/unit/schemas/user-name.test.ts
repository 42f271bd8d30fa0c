import { describe, expect, it } from 'vitest';

import { findNameIssue } from '../../../src/schemas/user-name.ts';

describe('the name of a user', () => {
  it.each([
    'anna',
    'm.keller@example.com',
    'Jürgen Groß',
    'clients/one',
    'the service/desk',
    'نیم\u200Cفاصله',
    'sb-grounding-eval!t1',
  ])('may be %j', (name) => {
    expect(findNameIssue(name)).toBeUndefined();
  });

  it.each([
    'an\nna',
    'anna\u0000',
    'an\u007Fna',
    'an\u0085na',
    'an\u2028na',
    '\u202Eanna',
    'a\u200Bb',
  ])('holds no control character: %j', (name) => {
    expect(findNameIssue(name)).toBe('must not contain control characters');
  });

  it.each([
    'schedule/nightly',
    'service/retention',
    'client/sb-x!t1',
    'Client/x',
    ' client/x',
    '\u200Dclient/x',
    'ｃlient/x',
  ])('does not start as the names of the service do: %j', (name) => {
    expect(findNameIssue(name)).toContain('must not start with');
  });
});
