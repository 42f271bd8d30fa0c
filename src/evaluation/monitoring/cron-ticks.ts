import { Cron } from 'croner';

export interface CronRule {
  readonly cron: string;
  /** An IANA name, such as Europe/Berlin. */
  readonly timeZone: string;
}

/** As crontab has them; a field of seconds or a date is not one of them. */
const nicknames = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/;

/** What is wrong with a cron expression, if anything is: five fields, or a name such as @daily. */
export function findCronIssue(cron: string): string | undefined {
  const isNickname = nicknames.test(cron);
  if (!isNickname && cron.trim().split(/\s+/).length !== 5) {
    return 'must have five fields (minute, hour, day of month, month, day of week) or be @hourly, @daily, @weekly, @monthly or @yearly';
  }
  try {
    const next = createCron({ cron, timeZone: 'UTC' }).nextRun();
    return next ? undefined : 'never occurs';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `cannot be parsed: ${error.message.replace(/^CronPattern: /, '')}`;
  }
}

/** Whether the time zone is one that this machine knows by its IANA name. */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/**
 * The first tick later than `after`, or null when there is none. Over a change of the clocks a time of
 * day that does not exist comes at the end of the gap, and one that exists twice comes once, the first
 * time; what comes every so many minutes goes on through it.
 */
export function nextTick(rule: CronRule, after: string): string | null {
  return createCron(rule).nextRun(new Date(after))?.toISOString() ?? null;
}

const hourMs = 60 * 60 * 1000;
/** How far to look back for the latest ticks: as little as will do, since a rule may have one each minute. */
const windowsMs = [3 * hourMs, 48 * hourMs, 32 * 24 * hourMs];

/**
 * The ticks from `first`, itself one, through `now`, rising. Of many the latest `limit`, and those of the
 * last 32 days.
 */
export function listTicksThrough(
  rule: CronRule,
  { first, now, limit }: { readonly first: string; readonly now: string; readonly limit: number },
): readonly string[] {
  let ticks: readonly string[] = [];
  for (const windowMs of windowsMs) {
    const earliest = new Date(Date.parse(now) - windowMs).toISOString();
    if (first >= earliest) return [first, ...listTicksAfter(rule, first, now)].slice(-limit);
    ticks = listTicksAfter(rule, earliest, now).slice(-limit);
    if (ticks.length === limit) break;
  }
  return ticks.length > 0 ? ticks : [first];
}

function listTicksAfter(rule: CronRule, after: string, now: string): readonly string[] {
  const cron = createCron(rule);
  const ticks: string[] = [];
  let tick = cron.nextRun(new Date(after))?.toISOString();
  while (tick !== undefined && tick <= now) {
    ticks.push(tick);
    tick = cron.nextRun(new Date(tick))?.toISOString();
  }
  return ticks;
}

function createCron({ cron, timeZone }: CronRule): Cron {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
}
