import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Every line of its log so far. */
  readonly lines: readonly string[];
  /** What it wrote to its standard error. */
  readonly faults: readonly string[];
  /** As `kill -9` does, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Runs the service as a process, as `npm start` does. It is killed when the test ends. */
export function runServer(environment: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ['src/server.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', RATE_LIMIT_PER_MINUTE: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

/** As `runServer`, once it listens. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = runServer(environment);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout! });
  output.on('line', (line) => {
    lines.push(line);
    const url = /Server listening at (http:[^"]+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  const faults: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => faults.push(chunk.toString()));
  output.on('close', () =>
    reject(new Error(`The server ended before it listened: ${faults.join('')}`)),
  );
  return {
    child,
    url: await promise,
    lines,
    faults,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
