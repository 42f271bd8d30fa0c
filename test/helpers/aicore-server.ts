import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import type { ServiceKey } from '../../src/retrieval/ai-core/service-key.ts';

/** A request as the stand-in for SAP AI Core got it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly resourceGroup: string | undefined;
  readonly authorization: string | undefined;
  /** The text as it came. */
  readonly body: string;
  /** performance.now() */
  readonly at: number;
}

/** `hang`: no answer. `reset`: the connection is cut. */
export type Reply =
  | 'hang'
  | 'reset'
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      /** Sent as JSON, text as it is. */
      readonly body?: unknown;
      readonly delayMs?: number;
      /** Cuts the body after so many bytes, though more are announced. */
      readonly cutAt?: number;
    };

export type Answerer = (request: SeenRequest) => Reply | Promise<Reply>;

export interface AiCoreServer {
  readonly key: ServiceKey;
  readonly searches: readonly SeenRequest[];
  readonly tokenRequests: readonly SeenRequest[];
  /** TCP connections to the API and the token endpoint. */
  readonly countSockets: () => number;
  readonly close: () => Promise<void>;
}

export interface AiCoreServerOptions {
  readonly onSearch?: Answerer;
  /** Default: a token for an hour, another one each time. */
  readonly onToken?: Answerer;
}

let servers = 0;

/** What AI Core answers when no filter finds anything. */
export function answerEmpty({ body }: SeenRequest): Reply {
  const { filters } = JSON.parse(body) as { readonly filters: readonly { readonly id: string }[] };
  return { body: { results: filters.map(({ id }) => ({ filterId: id, results: [] })) } };
}

/** The token that the nth request for one gets. */
export function makeToken(count: number, claims: object = {}): string {
  return `${encode({ alg: 'none' })}.${encode({ jti: `token-${count}`, ...claims })}.signature`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Token endpoint and grounding API on one port of this machine. */
export async function startAiCoreServer(options: AiCoreServerOptions = {}): Promise<AiCoreServer> {
  const searches: SeenRequest[] = [];
  const tokenRequests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let socketCount = 0;
  const onToken =
    options.onToken ??
    (() => ({ body: { access_token: makeToken(tokenRequests.length), expires_in: 3600 } }));
  const onSearch = options.onSearch ?? answerEmpty;

  const server = createServer((request, response) => {
    void (async () => {
      const seen = await readRequest(request);
      const isToken = seen.path.startsWith('/oauth/token');
      (isToken ? tokenRequests : searches).push(seen);
      reply(response, await (isToken ? onToken(seen) : onSearch(seen)));
    })();
  });
  server.on('connection', (socket) => {
    socketCount += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  servers += 1;
  return {
    key: {
      clientid: `client-${servers}`,
      clientsecret: 'made-up-client-secret',
      url,
      serviceurls: { AI_API_URL: url },
    },
    searches,
    tokenRequests,
    countSockets: () => socketCount,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const body = await text(request);
  const group = request.headers['ai-resource-group'];
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    resourceGroup: Array.isArray(group) ? group.join(', ') : group,
    authorization: request.headers.authorization,
    body,
    at: performance.now(),
  };
}

function reply(response: ServerResponse, answer: Reply): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body = '', delayMs = 0, cutAt } = answer;
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  const send = () => {
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(payload),
      ...headers,
    });
    if (cutAt === undefined) response.end(payload);
    else response.write(payload.slice(0, cutAt), () => response.socket?.destroy());
  };
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}
