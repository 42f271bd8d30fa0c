import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Receiver {
  readonly url: string;
  /** All but requests for tokens. */
  readonly requests: readonly ReceivedRequest[];
  readonly tokenRequests: readonly ReceivedRequest[];
}

/** A server of this machine that stands for whoever is told, and for the token endpoint of its binding. */
export async function startReceiver(
  answer: (request: ReceivedRequest, count: number) => ReceiverAnswer | 'reset' = () => ({
    status: 200,
  }),
  answerToken?: ReceiverAnswer,
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const tokenRequests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: await text(request) };
      const isToken = path.startsWith('/oauth/token');
      (isToken ? tokenRequests : requests).push(received);
      const token = { access_token: `token-${tokenRequests.length}`, expires_in: 3600 };
      const reply = isToken
        ? (answerToken ?? { status: 200, body: JSON.stringify(token) })
        : answer(received, requests.length);
      if (reply === 'reset') response.socket?.resetAndDestroy();
      else response.writeHead(reply.status, reply.headers).end(reply.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, tokenRequests };
}
