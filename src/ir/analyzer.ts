/** Turns the tokens of documents and questions into the terms that a search compares. */
export interface Analyzer {
  readonly name: string;
  /** None for a stop word. */
  readonly toTerms: (token: string) => readonly string[];
}

/** Terms are the tokens themselves. */
export const plainAnalyzer: Analyzer = { name: 'plain', toTerms: (token) => [token] };
