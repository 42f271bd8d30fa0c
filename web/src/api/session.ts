import { api, ask, type Schemas } from './client.ts';

export type Scope = Schemas['Principal']['scopes'][number];

let answer: Promise<Schemas['Principal']> | undefined;

/** Who reads the pages, and what they may do; asked once. */
export function getSession(): Promise<Schemas['Principal']> {
  answer ??= ask(api.GET('/v1/principal')).catch((error: unknown) => {
    answer = undefined;
    throw error;
  });
  return answer;
}
