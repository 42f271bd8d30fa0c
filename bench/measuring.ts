import process from 'node:process';

/** The shortest of some runs, in milliseconds: others share the machine, and they can only slow it down. */
export async function bestOf(repeats: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- runs side by side would measure each other.
    await run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** One line: what was measured, what is wanted, and whether it is there. */
export function printRow(
  name: string,
  value: number,
  { target, unit }: { readonly target: number; readonly unit: string },
): void {
  const verdict = value <= target ? 'ok   ' : 'MISS ';
  const [shown, wanted] = [value, target].map((each) => each.toPrecision(3));
  process.stdout.write(
    `${verdict} ${name}: ${Number(shown)} ${unit} (at most ${Number(wanted)})\n`,
  );
}
