import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

export interface DoorRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent; undefined: nothing was. */
  readonly body: unknown;
}

export interface DoorAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text as it is. */
  readonly body: unknown;
  /** Ends the connection instead of answering. */
  readonly isCut?: boolean;
  readonly delayMs?: number;
}

export interface SearchDoor {
  readonly url: string;
  readonly requests: readonly DoorRequest[];
}

/** A search service of JSON over HTTP, closed when the test ends. */
export async function openSearchDoor(
  answer: (request: DoorRequest, index: number) => DoorAnswer | Promise<DoorAnswer>,
): Promise<SearchDoor> {
  const requests: DoorRequest[] = [];
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, body: text === '' ? undefined : JSON.parse(text) };
    requests.push(seen);
    const {
      status = 200,
      headers: sent,
      body,
      isCut,
      delayMs,
    } = await answer(seen, requests.length);
    if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (isCut === true) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...sent });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
