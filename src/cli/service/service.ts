/** One request to the service, over HTTP or in this process. */
export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** With the query, such as `/v1/runs/main`. */
  readonly path: string;
  /** JSON, or what is read from a file. */
  readonly body?: { readonly json: unknown } | FileBody;
  /** Default: JSON. */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FileBody {
  readonly type: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The file's name, for errors. */
  readonly name: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** By names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The routes of the service, wherever it runs: commands do nothing that a client over HTTP could not do. */
export interface Service {
  readonly isRemote: boolean;
  /** The answer to a request that was met. Any other throws a ServiceProblem, or a CommandError if there was none. */
  readonly call: (call: Call) => Promise<Answer>;
  /** Stops work under way, which is kept where it is stored, and lets everything go. */
  readonly close: () => Promise<void>;
}

/** Calls for JSON. */
export async function callJson<Body>(service: Service, call: Call): Promise<Body> {
  const { body } = await service.call(call);
  return JSON.parse(body) as Body;
}
