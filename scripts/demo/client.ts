export interface Client {
  readonly get: <Answer>(path: string) => Promise<Answer>;
  readonly put: <Answer>(path: string, body: unknown) => Promise<Answer>;
  readonly post: <Answer>(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
}

/** Talks to the service over HTTP. Whatever is not a success is thrown with the problem in words. */
export function createClient(url: string): Client {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<unknown> {
    const answer = await fetch(`${url}${path}`, { ...init, method });
    const body: unknown = await answer.json();
    if (answer.ok) return body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(body)}`);
  }
  return {
    get: <Answer>(path: string) => request('GET', path) as Promise<Answer>,
    put: <Answer>(path: string, body: unknown) =>
      request('PUT', path, json(body)) as Promise<Answer>,
    post: <Answer>(path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
      request('POST', path, json(body, headers)) as Promise<Answer>,
  };
}

function json(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const all = { 'content-type': 'application/json', ...headers };
  return { body: JSON.stringify(body), headers: all };
}
