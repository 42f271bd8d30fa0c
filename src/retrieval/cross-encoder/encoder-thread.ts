import { Worker } from 'node:worker_threads';

/** A question and a few passages to be scored by the model in a folder. */
export interface EncoderTask {
  readonly id: number;
  readonly folder: string;
  readonly question: string;
  readonly passages: readonly string[];
}

/** What the thread says to a task. */
export type EncoderAnswer =
  | { readonly id: number; readonly logits: readonly number[]; readonly computedMs: number }
  | { readonly id: number; readonly issue: string };

export type EncodedPairs = Exclude<EncoderAnswer, { readonly issue: string }>;

/** One thread that all models of a process share: it scores one task after the other. */
export interface EncoderThread {
  /** Throws an Error that says what is wrong with the model. */
  readonly score: (task: Omit<EncoderTask, 'id'>) => Promise<EncodedPairs>;
}

interface Waiting {
  readonly resolve: (answer: EncodedPairs) => void;
  readonly reject: (error: Error) => void;
}

export function createEncoderThread(): EncoderThread {
  let current: StartedThread | undefined;
  let nextId = 0;

  /** After a crash the next task gets a new thread. */
  function start(): StartedThread {
    const started = startThread(() => {
      if (current === started) current = undefined;
    });
    return started;
  }

  return {
    score(task) {
      current ??= start();
      const { worker, waiting } = current;
      nextId += 1;
      const id = nextId;
      const { promise, resolve, reject } = Promise.withResolvers<EncodedPairs>();
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...task, id } satisfies EncoderTask);
      return promise;
    },
  };
}

interface StartedThread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

function startThread(onEnd: () => void): StartedThread {
  const worker = new Worker(new URL('encoder-worker.ts', import.meta.url));
  const waiting = new Map<number, Waiting>();
  const end = (reason: Error) => {
    onEnd();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  worker.on('message', (answer: EncoderAnswer) => settle(waiting, answer));
  worker.on('error', (error) => end(error as Error));
  worker.on('exit', () => end(new Error('the scoring thread of the cross-encoder ended')));
  // Nobody waits for it at the end of the process. A listener would hold it, so this comes behind them.
  worker.unref();
  return { worker, waiting };
}

function settle(waiting: Map<number, Waiting>, answer: EncoderAnswer): void {
  const task = waiting.get(answer.id);
  waiting.delete(answer.id);
  if ('issue' in answer) task?.reject(new Error(answer.issue));
  else task?.resolve(answer);
}
