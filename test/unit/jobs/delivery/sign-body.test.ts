import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { signBody } from '../../../../src/jobs/delivery/sign-body.ts';

type IsGenuine = (body: string, signature: string, secret: string, now: number) => boolean;

const at = '2026-04-13T02:17:00.000Z';
const now = Date.parse(at) / 1000;
const body = '{"subject":"größer"}';
const secret = 'made-up-secret-of-a-webhook';

describe('signBody', () => {
  // Computed by: printf '%s' '1776046620.{"subject":"größer"}' | openssl dgst -sha256 -hmac "$secret"
  it('signs time and body as openssl does', () => {
    expect(signBody(body, { secret, at })).toBe(
      't=1776046620,v1=d6ad85026518f57e21a9ecf15c035f4a5cab975206f041ece7cece23f585af8f',
    );
  });

  it('is verified by the function in docs/nightly.md', async () => {
    const [, source = ''] =
      /```js\n(.*?)```/s.exec(await readFile('docs/nightly.md', 'utf8')) ?? [];
    const url = `data:text/javascript,${encodeURIComponent(source)}`;
    const { isGenuine } = (await import(/* @vite-ignore */ url)) as { isGenuine: IsGenuine };
    const signature = signBody(body, { secret, at });

    expect(isGenuine(body, signature, secret, now)).toBe(true);
    expect(isGenuine(body, signature, secret, now + 299)).toBe(true);
    expect(isGenuine(body, signature, secret, now + 301)).toBe(false);
    expect(isGenuine(`${body} `, signature, secret, now)).toBe(false);
    expect(isGenuine(body, signature, 'another-secret', now)).toBe(false);
    expect(isGenuine(body, signature.replace('t=1', 't=2'), secret, now + 1e9)).toBe(false);
    expect(isGenuine(body, 'nonsense', secret, now)).toBe(false);
  });
});
