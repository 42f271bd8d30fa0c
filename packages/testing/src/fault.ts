/** What a request meets instead of its answer. */
export type Fault =
  /** Text is sent as it is, as HTML where it starts with `<`; anything else as JSON; nothing as an empty body. */
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | object;
    }
  /** The answer as it would be, but late. */
  | { readonly type: 'slow'; readonly delayMs: number }
  /** The answer as it would be, broken off in its middle by the end of the connection. */
  | { readonly type: 'truncated' }
  /** The connection is reset. */
  | { readonly type: 'reset' }
  /** No answer, for as long as the client waits. */
  | { readonly type: 'hang' };
