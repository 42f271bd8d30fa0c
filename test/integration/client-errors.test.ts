import type { AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { exchange } from '../helpers/fuzz/raw-http.ts';

const start = 'GET /v1/measures HTTP/1.1\r\nhost: x\r\n';

it.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400, 'The request is not valid HTTP'],
  [
    'a header whose name has a space',
    `${start}na me: x\r\n\r\n`,
    400,
    'The request is not valid HTTP',
  ],
  [
    '20 kB of headers',
    `${start}x: ${'y'.repeat(20_000)}\r\n\r\n`,
    431,
    'The request headers are too large',
  ],
])('%s is answered with problem details', async (_name, text, status, detail) => {
  const app = await createTestApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await exchange((app.server.address() as AddressInfo).port, text);
  const [head = '', body = ''] = answer.split('\r\n\r\n');

  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('content-type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status, detail });
});
