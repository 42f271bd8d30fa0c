import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import { readFiles } from './read-trec-files.ts';
import { scoreRun, type MeasureValues } from '../src/ir/fast/score-run.ts';
import { pairDifferences, summarizeDifferences } from '../src/ir/statistics/differences.ts';
import { pairedTTest } from '../src/ir/statistics/t-test.ts';
import { bestOf, printRow, printTiming } from './measuring.ts';
import { measureResampling } from './statistics.ts';
import { measures } from './score-trec-files.ts';

// Measures the scoring of TREC files made by ../shared/bench/gen_trec.py, and checks the means; then bootstrap and randomization. Usage:
// node bench/scoring.ts [--all] [--files DIR]
// --all scores the second set too (5 runs, with t-tests); --files takes the first set from DIR and makes nothing.
const generator = resolve('../shared/bench/gen_trec.py');
const expectedPath = resolve('../shared/bench/gen_trec_expected.json');
const repeats = 3;
const namesThere = {
  'nDCG@10': 'ndcg_cut_10',
  AP: 'map',
  RR: 'recip_rank',
  'R@100': 'recall_100',
  'P@10': 'P_10',
};

interface ExpectedSet {
  readonly args: string;
  readonly sha256: Readonly<Record<string, string>>;
  readonly means: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly ttest_ndcg_cut_10?: Readonly<Record<string, { readonly t: number; readonly p: number }>>;
}

const obstacle = findObstacle();
if (obstacle === undefined) await scoreFiles();
else printLine(`no files to score: ${obstacle}`);
await measureResampling();

async function scoreFiles(): Promise<void> {
  const { sets } = JSON.parse(readFileSync(expectedPath, 'utf8')) as {
    sets: readonly ExpectedSet[];
  };
  const [first, second] = sets;
  const given = process.argv.includes('--files')
    ? process.argv[process.argv.indexOf('--files') + 1]
    : undefined;
  process.stdout.write(`load ${loadavg()[0]?.toFixed(2)}, best of ${repeats}\n`);
  if (first !== undefined) await withFiles(first, given, measureSet);
  const isAll = process.argv.includes('--all');
  if (isAll && second !== undefined) await withFiles(second, undefined, checkRuns);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function findObstacle(): string | undefined {
  if (!existsSync(expectedPath)) return `${expectedPath} is not there`;
  if (process.argv.includes('--files')) return undefined;
  if (!existsSync(generator)) return `${generator} is not there`;
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'python3 is not there';
  }
}

async function withFiles(
  set: ExpectedSet,
  given: string | undefined,
  use: (set: ExpectedSet, folder: string) => Promise<void>,
): Promise<void> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'gen-trec-'));
  try {
    if (given === undefined) {
      execFileSync('python3', [generator, '--out', folder, ...set.args.split(' ')]);
    }
    for (const [name, expected] of Object.entries(set.sha256)) {
      const isSame = (await hashFile(join(folder, name))) === expected;
      if (!isSame) process.stdout.write(`${name} is not the file that the right answers are for\n`);
    }
    await use(set, folder);
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true });
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function measureSet(set: ExpectedSet, folder: string): Promise<void> {
  const [qrelsPath, runPath] = [join(folder, 'qrels.txt'), join(folder, 'run1.txt')];
  const script = resolve('bench/score-trec-files.ts');
  let printed = '';
  const whole = await bestOf(repeats, () => {
    printed = execFileSync(process.execPath, [script, qrelsPath, runPath], { encoding: 'utf8' });
  });
  const { means, peakMebibytes, processorMilliseconds } = JSON.parse(printed) as {
    means: Record<string, number>;
    peakMebibytes: number;
    processorMilliseconds: number;
  };
  const { qrels, run: runs } = await readFiles(qrelsPath, runPath);
  const inMemory = await bestOf(repeats, () => scoreRun(qrels, runs, measures));
  const wholeProcess = { milliseconds: whole.milliseconds, processorMilliseconds };
  printTiming('files to means, whole process', wholeProcess, { target: 2_100 });
  printTiming('in memory, from interned columns', inMemory, { target: 400 });
  printRow('peak memory of the process', peakMebibytes, { target: 600, unit: 'MiB' });
  checkMeans(means, set.means['run1'] ?? {}, 'run1');
}

async function checkRuns(set: ExpectedSet, folder: string): Promise<void> {
  const names = Object.keys(set.means);
  const scored = new Map<string, readonly MeasureValues[]>();
  for (const name of names) {
    const { qrels, run: hits } = await readFiles(
      join(folder, 'qrels.txt'),
      join(folder, `${name}.txt`),
    );
    const values = scoreRun(qrels, hits, measures);
    scored.set(name, values);
    const means = Object.fromEntries(values.map((each) => [each.name, each.mean ?? Number.NaN]));
    checkMeans(means, set.means[name] ?? {}, name);
  }
  for (const [pair, expected] of Object.entries(set.ttest_ndcg_cut_10 ?? {})) {
    const [first = '', second = ''] = pair.split('-');
    const valuesOf = (name: string) => [...(scored.get(name)?.[0]?.values ?? [])];
    const differences = pairDifferences(valuesOf(second), valuesOf(first));
    const { statistic } = pairedTTest(summarizeDifferences(differences));
    const error = Math.abs((statistic ?? Number.NaN) / expected.t - 1);
    process.stdout.write(
      `${error < 1e-9 ? 'ok   ' : 'WRONG'} t of ${pair}: off by ${error.toExponential(1)}\n`,
    );
  }
}

/** trec_eval's own running sum drifts in the 13th digit. */
function checkMeans(
  means: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
  run: string,
): void {
  for (const [name, there] of Object.entries(namesThere)) {
    const error = Math.abs((means[name] ?? Number.NaN) - (expected[there] ?? Number.NaN));
    const verdict = error < 1e-12 ? 'ok   ' : 'WRONG';
    process.stdout.write(
      `${verdict} ${run} ${name} ${means[name]}: off by ${error.toExponential(1)}\n`,
    );
  }
}
