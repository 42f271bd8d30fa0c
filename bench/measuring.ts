import process from 'node:process';

interface Timing {
  readonly milliseconds: number;
  /** Of all threads of this process: what is left of the time when others share the machine. */
  readonly processorMilliseconds: number;
}

/** The shortest of some runs: others share the machine, and they can only slow it down. */
export async function bestOf(repeats: number, run: () => unknown): Promise<Timing> {
  let best: Timing = { milliseconds: Infinity, processorMilliseconds: Infinity };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const used = process.cpuUsage();
    const start = performance.now();
    await run();
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    best = {
      milliseconds: Math.min(best.milliseconds, milliseconds),
      processorMilliseconds: Math.min(best.processorMilliseconds, (user + system) / 1000),
    };
  }
  return best;
}

/** One line: what was measured, what is wanted, and whether it is there. `count` runs were timed as one. */
export function printTiming(
  name: string,
  { milliseconds, processorMilliseconds }: Timing,
  { target, count = 1 }: { readonly target: number; readonly count?: number },
): void {
  const [time, processor] = [milliseconds, processorMilliseconds].map((each) => each / count);
  printRow(`${name} (processor ${toText(processor ?? Number.NaN)} ms)`, time ?? Number.NaN, {
    target,
    unit: 'ms',
  });
}

export function printRow(
  name: string,
  value: number,
  { target, unit }: { readonly target: number; readonly unit: string },
): void {
  const verdict = value <= target ? 'ok   ' : 'MISS ';
  process.stdout.write(`${verdict} ${name}: ${toText(value)} ${unit} (at most ${target})\n`);
}

function toText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
