import { describe, expect, it } from 'vitest';

import {
  findCronIssue,
  listTicksThrough,
  nextTick,
} from '../../../../src/evaluation/monitoring/cron-ticks.ts';

// Germany 2026: clocks go from 02:00 to 03:00 on 29 March (01:00 UTC), and from 03:00 back to 02:00 on
// 25 October (01:00 UTC).
const timeZone = 'Europe/Berlin';

describe('nextTick', () => {
  it.each([
    ['on a winter day', '30 2 * * *', '2026-01-01T12:00:00Z', '2026-01-02T01:30:00.000Z'],
    ['on a summer day', '30 2 * * *', '2026-07-01T12:00:00Z', '2026-07-02T00:30:00.000Z'],
    [
      'after the gap, for a time in it',
      '30 2 * * *',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    ['on the day after the gap', '30 2 * * *', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00.000Z'],
    [
      'the first time, for a time that comes twice',
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['not the second time', '30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    ['later than the time given', '0 3 * * *', '2026-01-01T02:00:00Z', '2026-01-02T02:00:00.000Z'],
    [
      'on either day, for day of month and weekday',
      '0 0 13 * FRI',
      '2026-01-02T12:00:00Z',
      '2026-01-08T23:00:00.000Z',
    ],
  ])('comes %s', (_when, cron, after, expected) => {
    expect(nextTick({ cron, timeZone }, after)).toBe(expected);
  });

  // A day of 23 or 25 hours has as many ticks of every half hour less or more.
  it.each([
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', 46],
    ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', 50],
    ['2026-06-30T22:00:00.000Z', '2026-07-01T22:00:00.000Z', 48],
  ])('goes on every half hour from %s to %s', (first, end, count) => {
    const rule = { cron: '*/30 * * * *', timeZone };
    const ticks = listTicksThrough(rule, { first, now: end, limit: 1000 });
    const expected = Array.from({ length: count + 1 }, (_, index) =>
      new Date(Date.parse(first) + index * 1_800_000).toISOString(),
    );

    expect(ticks).toEqual(expected);
  });
});

describe('listTicksThrough', () => {
  it('keeps the latest, however long nobody looked', () => {
    const rule = { cron: '* * * * *', timeZone: 'UTC' };
    const range = { first: '2026-01-01T00:00:00.000Z', now: '2026-11-30T00:00:30.000Z', limit: 2 };

    expect(listTicksThrough(rule, range)).toEqual([
      '2026-11-29T23:59:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ]);
  });
});

describe('listTicksThrough over a long gap', () => {
  it.each([
    ['of every minute, the latest', '* * * * *', 100, '2026-11-29T22:21:00.000Z'],
    ['of every hour, the latest', '0 * * * *', 100, '2026-11-25T21:00:00.000Z'],
    ['of every day, those of 32 days', '0 0 * * *', 32, '2026-10-30T00:00:00.000Z'],
    ['of every year, the one that was first', '0 0 1 1 *', 1, '2026-01-01T00:00:00.000Z'],
  ])('has %s', (_what, cron, count, earliest) => {
    const range = {
      first: '2026-01-01T00:00:00.000Z',
      now: '2026-11-30T00:00:30.000Z',
      limit: 100,
    };
    const ticks = listTicksThrough({ cron, timeZone: 'UTC' }, range);

    expect(ticks).toHaveLength(count);
    expect(ticks[0]).toBe(earliest);
  });
});

describe('findCronIssue', () => {
  it.each(['@daily', '0 9 * * MON#1', '0 0 L * *', '*/5 1-4,22 * JAN-MAR MON-FRI', ' 0  3 * * * '])(
    'takes %s',
    (cron) => {
      expect(findCronIssue(cron)).toBeUndefined();
    },
  );

  it.each(['@reboot', '', '* * * *', '*/0 * * * *', '5-1 * * * *', 'H 3 * * *', '0 3 31 4,6 *'])(
    'refuses %s',
    (cron) => {
      expect(findCronIssue(cron)).toEqual(expect.any(String));
    },
  );
});
