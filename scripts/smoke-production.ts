import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { runForReader } from './demo/print.ts';
import { type BuiltImage, buildImage } from './smoke/build-image.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const target = mkdtempSync(join(tmpdir(), 'grounding-eval-smoke-'));
await runForReader(async () => {
  try {
    const image = buildImage(readFileSync('Dockerfile', 'utf8'), target);
    refuseDevelopmentPackages(image);
    const before = listFiles(image.folder);
    await tryOut(image, join(target, 'data.db'));
    const isUnchanged = listFiles(image.folder) === before;
    if (!isUnchanged) throw new Error('The service wrote beside its database');
    process.stdout.write('the application folder is as it was: it may be mounted read-only\n');
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

function refuseDevelopmentPackages({ folder }: BuiltImage): void {
  // Those that production needs as well, by way of another package, are not marked.
  const found = Object.entries(lock.packages).filter(
    ([path, { dev = false }]) => dev && existsSync(join(folder, path)),
  );
  const names = found.map(([path]) => path).join(', ');
  if (names !== '') throw new Error(`Installed though for development: ${names}`);
}

/** Starts what the image starts, evaluates the sample, and stops it as the platform does. */
async function tryOut(image: BuiltImage, database: string): Promise<void> {
  const [, ...options] = image.command;
  const child = spawn(process.execPath, options, {
    cwd: image.folder,
    env: {
      ...image.environment,
      PORT: '0',
      HOST: '127.0.0.1',
      AUTH_MODE: 'none',
      DATABASE_URL: `sqlite:${database}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = once(child, 'exit');
  try {
    const url = await findUrl(createInterface({ input: child.stdout }));
    child.stdout.resume();
    process.stdout.write(`idle: ${readMemory(child.pid)}\n`);
    await expectReady(url);
    await evaluateSample(url);
    process.stdout.write(`after an evaluation: ${readMemory(child.pid)}\n`);
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = (await end) as [number | null];
  if (code !== 0) throw new Error(`The service ended with exit code ${code}`);
}

async function findUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, url] = /Server listening at (http:\/\/[^"\s]+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The service ended before it listened');
}

async function expectReady(url: string): Promise<void> {
  const answer = await fetch(`${url}/health/ready`);
  if (answer.status !== 200) throw new Error(`/health/ready answers ${answer.status}`);
}

async function evaluateSample(url: string): Promise<void> {
  const bm25 = JSON.parse(readFileSync('sample/configurations/bm25.json', 'utf8')) as object;
  const configuration = { ...bm25, name: 'bm25' };
  const answer = await fetch(`${url}/v1/eval`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify({ questionSet: 'sample', configurations: [configuration] }),
  });
  const { status, scorecard } = (await answer.json()) as {
    readonly status: string;
    readonly scorecard: readonly { readonly measures: Readonly<Record<string, number>> }[];
  };
  const measured = scorecard[0]?.measures['nDCG@10']?.toFixed(4);
  process.stdout.write(`evaluation of the sample: ${status}, nDCG@10 ${measured}\n`);
  // The figure of the README.
  if (measured !== '0.7072') throw new Error('The sample does not score as it does elsewhere');
}

/** Linux tells; elsewhere nothing is said. */
function readMemory(pid: number | undefined): string {
  try {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return `${Math.round(Number(peak) / 1024)} MB at most`;
  } catch {
    return 'memory unknown';
  }
}

/** Names and times of all files. */
function listFiles(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`).join('\n');
}
