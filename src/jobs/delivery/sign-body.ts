import { createHmac } from 'node:crypto';

/**
 * A webhook's signature: `t=<seconds since 1970>,v1=<hex HMAC-SHA256 of "t.body">`. The time is signed as
 * well, so that an old request cannot be played again unnoticed.
 */
export function signBody(
  body: string,
  { secret, at }: { readonly secret: string; readonly at: string },
): string {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
