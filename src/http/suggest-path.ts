/** What people write for the first part of a path, in lower case with letters alone. */
const names: Readonly<Record<string, string>> = {
  evaluation: 'eval',
  evaluations: 'eval',
  evaluate: 'eval',
  evals: 'eval',
  comparison: 'compare',
  comparisons: 'compare',
  pools: 'pool',
  run: 'runs',
  corpus: 'corpora',
  corpuses: 'corpora',
  measure: 'measures',
  metrics: 'measures',
  baseline: 'baselines',
  schedule: 'schedules',
  questionset: 'question-sets',
  questionsets: 'question-sets',
  questions: 'question-sets',
  searchconfiguration: 'search-configurations',
  searchconfigurations: 'search-configurations',
  configurations: 'search-configurations',
};

/** The path that was most likely meant, as the end of a sentence; empty where none is near. */
export function suggestPath(path: string): string {
  const [first = '', ...rest] = path.replace(/^\/(?:v1\/)?/i, '').split('/');
  const word = first.toLowerCase().replaceAll(/[^a-z]/g, '');
  const known = names[word] ?? (Object.values(names).includes(first) ? first : undefined);
  const meant = known === undefined ? undefined : ['/v1', known, ...rest].join('/');
  return meant === undefined || meant === path ? '' : `; did you mean ${meant}?`;
}
