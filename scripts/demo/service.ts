import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface TemporaryService extends AsyncDisposable {
  readonly url: string;
  readonly processId: number;
}

/** Starts the real service on a free port with a store in a temporary folder, unless the environment names another. Disposing stops it and removes the folder. */
export async function startTemporaryService(
  environment: Readonly<Record<string, string>> = {},
): Promise<TemporaryService> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-demo-'));
  const child = spawn(process.execPath, ['src/server.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
      DATABASE_URL: `sqlite:${join(folder, 'demo.db')}`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await findUrl(child);
    return { url, processId: child.pid ?? 0, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address in the service's log, which is read to its end: a service whose log nobody reads stands still. */
function findUrl({ stdout }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (!stdout) throw new Error('The service has no output');
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => {
    const [, url] = /Server listening at (http:\/\/[^"\s]+)/.exec(line) ?? [];
    if (url !== undefined) resolve(url);
  });
  lines.on('close', () => reject(new Error('The service ended before it listened')));
  return promise;
}
