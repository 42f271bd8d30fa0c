import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createGzip } from 'node:zlib';

import { onTestFinished } from 'vitest';

import { makeToken } from './aicore-server.ts';
import type { ServerCertificate } from './certificates.ts';

/** What a server does that answers otherwise than it should. */
export type Attack = 'redirect' | 'endless' | 'drip' | 'bomb';

export interface HostileServer {
  readonly url: string;
  /** Bytes of bodies that were sent in the attack, as they went over the wire. */
  readonly countSent: () => number;
  /** Requests that followed the redirect to another host, by header and body. */
  readonly strangerRequests: readonly string[];
}

export interface HostileServerOptions {
  readonly attack: Attack;
  /** The path that is attacked on; others are answered as they should be. */
  readonly path: RegExp;
  readonly certificate?: ServerCertificate | undefined;
}

/** Stands for every service that ours speaks to, and attacks on one path. */
export async function startHostileServer(options: HostileServerOptions): Promise<HostileServer> {
  const strangerRequests: string[] = [];
  const stranger = await listen((request, response) => {
    strangerRequests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
  });
  let sent = 0;
  const count = (bytes: number) => void (sent += bytes);
  const url = await listen((request, response) => {
    request.resume();
    const path = request.url ?? '';
    if (options.path.test(path)) attack(response, { ...options, count, stranger });
    else answerAsUsual(response, path, url);
  }, options.certificate);
  return { url, countSent: () => sent, strangerRequests };
}

async function listen(listener: RequestListener, certificate?: ServerCertificate): Promise<string> {
  const sockets = new Set<Socket>();
  const server = certificate
    ? createSecureServer({ key: certificate.key, cert: certificate.certificate }, listener)
    : createServer(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
}

interface AttackContext {
  readonly attack: Attack;
  readonly count: (bytes: number) => void;
  readonly stranger: string;
}

const json = { 'content-type': 'application/json' };

function attack(response: ServerResponse, { attack: kind, count, stranger }: AttackContext): void {
  if (kind === 'redirect') {
    response.writeHead(307, { location: `${stranger}/elsewhere` }).end();
  } else if (kind === 'drip') {
    response.writeHead(200, json).write('{"a":"');
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  } else if (kind === 'endless') {
    response.writeHead(200, json);
    pour(response, response, count);
  } else {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.on('data', (chunk: Buffer) => count(chunk.length));
    gzip.pipe(response);
    pour(gzip, response, () => undefined);
  }
}

/** Far more than anything reads, yet not for ever: a client that reads it all fails the test by its memory. */
const mostBytes = 150 * 2 ** 20;

/** Writes for as long as somebody reads. */
function pour(
  out: NodeJS.WritableStream,
  response: ServerResponse,
  count: (bytes: number) => void,
): void {
  const block = Buffer.alloc(64 * 1024, '"aaaaaaaaaaaaaa",');
  let poured = 0;
  const write = () => {
    while (!response.destroyed && poured < mostBytes) {
      poured += block.length;
      count(block.length);
      if (!out.write(block)) return;
    }
    if (!response.destroyed) out.end();
  };
  out.on('drain', write);
  out.write('{"results":[');
  write();
}

function answerAsUsual(response: ServerResponse, path: string, url: string): void {
  response.writeHead(200, json).end(JSON.stringify(findAnswer(path, url)));
}

function findAnswer(path: string, url: string): object {
  if (path.startsWith('/oauth/token')) {
    return { access_token: makeToken(1, { zid: 'zone' }), expires_in: 3600 };
  }
  if (path.startsWith('/v2/lm/deployments')) return { resources: [{ id: 'd1' }] };
  if (path.startsWith('/destination-configuration')) {
    const destinationConfiguration = {
      Name: 'AICORE',
      Type: 'HTTP',
      URL: url,
      Authentication: 'NoAuthentication',
      ProxyType: 'Internet',
    };
    return { owner: { SubaccountId: 's' }, destinationConfiguration, ...destinationConfiguration };
  }
  return { results: [] };
}
