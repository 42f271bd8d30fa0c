/** The measure that a glance needs: nDCG@10 where there is one, else the first that is no share of judged documents. */
export function pickHeadline(measures: readonly string[]): string {
  const real = measures.filter((name) => !name.startsWith('judged@'));
  return real.find((name) => name === 'nDCG@10') ?? real[0] ?? measures[0] ?? '';
}

interface MeanRow {
  readonly configuration: string;
  readonly measures: Readonly<Record<string, number | null>>;
}

/** The configuration with the highest mean; undefined when there is none, or only one. */
export function findLeader<Row extends MeanRow>(
  rows: readonly Row[],
  measure: string,
): Row | undefined {
  const ranked = rows
    .filter((row) => typeof row.measures[measure] === 'number')
    .toSorted((a, b) => (b.measures[measure] ?? 0) - (a.measures[measure] ?? 0));
  return ranked.length > 1 ? ranked[0] : undefined;
}
