import type { Schemas } from '../api/client.ts';

export type LiveState = Pick<Schemas['Evaluation'], 'status' | 'progress'>;

/** Follows an evaluation by server-sent events. The browser reconnects by itself; `end` comes once. */
export function watchEvaluation(
  id: string,
  on: { readonly progress: (state: LiveState) => void; readonly end: () => void },
): () => void {
  const source = new EventSource(`/v1/eval/${encodeURIComponent(id)}/events`);
  source.addEventListener('progress', (event) =>
    on.progress(JSON.parse(event.data as string) as LiveState),
  );
  source.addEventListener('end', () => {
    source.close();
    on.end();
  });
  return () => source.close();
}
