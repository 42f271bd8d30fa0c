import { Worker } from 'node:worker_threads';

/** One computation that needs more fails alone, in place of the process. */
export const threadMegabytes = 1024;

/** A thread without work ends after this time, since it keeps the memory of its last task. */
const idleMs = 10_000;

const idle = new Map<Worker, NodeJS.Timeout>();
let busy = 0;

/** Threads that have a task. */
export function countBusyThreads(): number {
  return busy;
}

/** Lends a thread that waits for tasks, or starts one. It is ended when `work` rejects, else it waits for the next. */
export async function useThread<Value>(work: (thread: Worker) => Promise<Value>): Promise<Value> {
  const thread = takeIdle() ?? startThread();
  busy += 1;
  try {
    const value = await work(thread);
    keep(thread);
    return value;
  } catch (error) {
    await thread.terminate();
    throw error;
  } finally {
    busy -= 1;
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('statistics-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
  });
  thread.on('exit', () => forget(thread));
  // An error rejects the task that waits for the thread. One without a task only ends.
  thread.on('error', () => forget(thread));
  return thread;
}

function takeIdle(): Worker | undefined {
  const [thread] = idle.keys();
  if (!thread) return undefined;
  forget(thread);
  thread.ref();
  return thread;
}

function keep(thread: Worker): void {
  const end = () => {
    forget(thread);
    void thread.terminate();
  };
  thread.unref();
  idle.set(thread, setTimeout(end, idleMs).unref());
}

function forget(thread: Worker): void {
  clearTimeout(idle.get(thread));
  idle.delete(thread);
}
