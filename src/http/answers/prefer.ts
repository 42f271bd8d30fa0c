/** The longest that one request is kept waiting, in seconds. */
const maxWait = 120;

/** The seconds of a `Prefer: wait=30` header (RFC 7240), at most 120; 0 without one. */
export function readWaitSeconds(header: string | string[] | undefined): number {
  const preferences = [header ?? []].flat().join(',').split(',');
  const waits = preferences.flatMap((preference) => {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    return seconds === undefined ? [] : [Number(seconds)];
  });
  return Math.min(waits[0] ?? 0, maxWait);
}
