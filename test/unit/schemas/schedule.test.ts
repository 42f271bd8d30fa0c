import { describe, expect, it } from 'vitest';

import { ScheduleInput } from '../../../src/schemas/schedule.ts';

const nightly = {
  cron: '15 2 * * *',
  timeZone: 'Europe/Berlin',
  evaluation: { questionSet: 'pumps', configurations: ['bm25'] },
};

describe('ScheduleInput', () => {
  it('is enabled and tells everybody unless it says otherwise', () => {
    expect(ScheduleInput.parse(nightly)).toMatchObject({ ...nightly, enabled: true });
    expect(ScheduleInput.parse(nightly).notify).toBeUndefined();
  });

  it.each([
    ['a field that is out of range', { cron: '61 * * * *' }, ['cron']],
    ['seconds', { cron: '* * * * * *' }, ['cron']],
    ['a day that never comes', { cron: '0 0 30 2 *' }, ['cron']],
    ['a date', { cron: '2027-01-01T00:00:00' }, ['cron']],
    ['no cron', { cron: undefined }, ['cron']],
    ['an unknown time zone', { timeZone: 'Mars/Phobos' }, ['timeZone']],
    ['an offset for a time zone', { timeZone: '+02:00' }, ['timeZone']],
    [
      'an evaluation that does not fit',
      { evaluation: { configurations: ['a'] } },
      ['evaluation', 'questionSet'],
    ],
    ['an unknown field', { when: 'now' }, []],
  ])('refuses %s', (_name, change, path) => {
    const { error } = ScheduleInput.safeParse({ ...nightly, ...change });

    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
