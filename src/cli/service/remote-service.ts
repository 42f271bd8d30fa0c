import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';

import { CommandError } from '../exit-codes.ts';
import { fetchToken } from './fetch-token.ts';
import type { Call, Service } from './service.ts';
import { ServiceProblem } from './service-problem.ts';
import { unreachable } from './unreachable.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly token?: string | undefined;
  /** A file. */
  readonly serviceKey?: string | undefined;
}

/** A running service. With a service key, a token is fetched when one is needed. */
export async function openRemoteService(options: RemoteOptions): Promise<Service> {
  const base = toBase(options.url);
  const closing = new AbortController();
  const token = await findToken(options);
  return {
    isRemote: true,
    async call(call) {
      const response = await send(`${base}${call.path}`, {
        ...toRequest(call, token),
        signal: closing.signal,
      });
      const answer = { status: response.status, body: await readBody(response, base) };
      if (!response.ok) throw new ServiceProblem(answer, call);
      return answer;
    },
    async close() {
      closing.abort();
    },
  };
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw findCommandError(cause) ?? unreachable(url, cause);
  }
}

async function readBody(response: Response, base: string): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable(base, cause);
  }
}

function toRequest({ method, body, accept, headers }: Call, token: string | undefined) {
  const sent = {
    accept: accept ?? 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  if (body === undefined) return { method, headers: sent };
  if ('json' in body) {
    const json = { ...sent, 'content-type': 'application/json' };
    return { method, headers: json, body: JSON.stringify(body.json) };
  }
  return {
    method,
    headers: { ...sent, 'content-type': body.type },
    body: Readable.toWeb(Readable.from(body.chunks)) as ReadableStream,
    duplex: 'half' as const,
  };
}

function toBase(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) return url.replace(/\/+$/, '');
  throw new CommandError(
    `--url: '${url}' is not an address such as https://grounding-eval.example.com`,
  );
}

async function findToken({ token, serviceKey }: RemoteOptions): Promise<string | undefined> {
  if (token !== undefined || serviceKey === undefined) return token;
  const text = await readFile(serviceKey, 'utf8').catch((cause: unknown) => {
    throw new CommandError(`--service-key: '${serviceKey}' cannot be read`, undefined, cause);
  });
  return fetchToken(text);
}

/** An unreadable file that was being sent is its own cause. */
function findCommandError(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  return error instanceof Error ? findCommandError(error.cause) : undefined;
}
