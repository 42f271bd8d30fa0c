const storageKey = 'grounding-eval.judge';

/** Who judges, where nobody signs in; kept in the browser. */
export function knownJudge(): string | undefined {
  return localStorage.getItem(storageKey) ?? undefined;
}

export function rememberJudge(name: string): void {
  localStorage.setItem(storageKey, name);
}
