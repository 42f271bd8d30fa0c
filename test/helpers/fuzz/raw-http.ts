import { connect } from 'node:net';

import fc from 'fast-check';
import nock from 'nock';

const body = '{"n":50,"sd":0.3}';
const json = 'content-type: application/json\r\n';
const post = 'POST /v1/power HTTP/1.1\r\nhost: x\r\n';
const get = 'GET /v1/measures HTTP/1.1\r\nhost: x\r\n';

/** What a client that knows no HTTP, or knows it too well, writes on a connection. */
export const brokenRequests: readonly string[] = [
  '',
  '\r\n\r\n',
  '\0\0\0\0',
  '\x16\x03\x01\x02\x00\x01',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /v1/measures\r\n\r\n',
  'GET /v1/measures HTTP/1.1\r\n\r\n',
  'GET http://other/v1/measures HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /v1/eval/../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /\u00ff\u0000 HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `${get}x: ${'y'.repeat(70_000)}\r\n\r\n`,
  `${get}${'a: b\r\n'.repeat(5000)}\r\n`,
  `${get}na me: x\r\n\r\n`,
  `${get}name: \0\r\n\r\n`,
  `${get}name: a\r\n b\r\n\r\n`,
  `${get}host: y\r\n\r\n`,
  `${get}expect: nothing\r\n\r\n`,
  `${get}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  `${get}content-length: 5\r\n\r\n`,
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'TRACE / HTTP/1.1\r\nhost: x\r\n\r\n',
  'BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `${post}${json}content-length: ${body.length - 3}\r\n\r\n${body}`,
  `${post}${json}content-length: 1000\r\n\r\n${body}`,
  `${post}${json}content-length: -1\r\n\r\n${body}`,
  `${post}${json}content-length: 9e9\r\n\r\n${body}`,
  `${post}${json}content-length: 99999999999999999999\r\n\r\n${body}`,
  `${post}${json}content-length: 17\r\ncontent-length: 3\r\n\r\n${body}`,
  `${post}${json}content-length: 17\r\ntransfer-encoding: chunked\r\n\r\n${body}`,
  `${post}${json}transfer-encoding: gzip\r\n\r\n${body}`,
  `${post}${json}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
  `${post}${json}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n${body}`,
  `${post}${json}transfer-encoding: chunked\r\n\r\n11\r\n${body}\r\n`,
  `${post}${json}transfer-encoding: chunked\r\n\r\n11;${'x'.repeat(70_000)}\r\n${body}\r\n0\r\n\r\n`,
  `${post}${json}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n11\r\n${body}\r\n0\r\n\r\n`,
  `${get}\r\n`.repeat(50),
];

/** A good request with some of its bytes replaced, left out or put in. */
export const tornRequests: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(`${get}\r\n`, `${post}${json}content-length: ${body.length}\r\n\r\n${body}`),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(2)), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([text, edits]) => edits.reduce(edit, text));

function edit(text: string, [place, code, kind]: readonly [number, number, number]): string {
  const at = place % (text.length + 1);
  const put = kind === 1 ? '' : String.fromCodePoint(code);
  return text.slice(0, at) + put + text.slice(kind === 2 ? at : at + 1);
}

/**
 * Sends each text on a connection of its own, and tells which answers no client of this service must see:
 * an internal error, one without problem details, or a connection that hangs.
 */
export async function listRawFaults(port: number, texts: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const text of texts) {
    const wrong = findFaulty(await exchange(port, text));
    const shown = JSON.stringify(text).slice(0, 300);
    faults.push(...wrong.map((answer) => `${shown} → ${answer.slice(0, 300)}`));
  }
  return faults;
}

/** Writes a byte for each character, says that nothing follows, and gives what came until the connection ended. */
export async function exchange(port: number, text: string): Promise<string> {
  // It would read along, and refuse what it does not understand.
  nock.restore();
  try {
    return await writeAndRead(port, text);
  } finally {
    nock.activate();
  }
}

async function writeAndRead(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.setTimeout(10_000, () => resolve('the connection hangs'));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // The server may close while more is being written to it.
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
  });
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  socket.end(text, 'latin1');
  return promise.finally(() => socket.destroy());
}

function findFaulty(received: string): readonly string[] {
  const answers = received.split(/(?=HTTP\/1\.[01] \d{3} )/).filter((answer) => answer !== '');
  return answers.filter((answer) => {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 999);
    // Node itself refuses a request without a host, and expectations, with no more than a status.
    const isBare = answer.endsWith('\r\n\r\n0\r\n\r\n');
    const isProblem = answer.includes('application/problem+json');
    return status >= 500 || (status >= 400 && !isProblem && !isBare);
  });
}
