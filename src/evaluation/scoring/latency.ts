import type { Latency } from '../../model/scorecard.ts';

/** Mean and percentiles of the measured times, by nearest rank: each is a time that was measured. */
export function summarizeLatencies(latencies: readonly number[]): Latency | null {
  if (latencies.length === 0) return null;
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const sum = sorted.reduce((total, latency) => total + latency, 0);
  return { mean: sum / sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
