/** What `POST …/retrieval/search` answers with a 200, as far as SAP's public material shows it. */
export interface RetrievalAnswer {
  readonly results: readonly RetrievalEntry[];
}

/** What a filter, or a post-processing operation, brought back; or why it failed. */
export interface RetrievalEntry {
  readonly filterId: string;
  readonly results?: readonly RepositoryResult[];
  readonly error?: { readonly message: string };
}

export interface RepositoryResult {
  readonly dataRepository: {
    readonly id: string;
    readonly title: string;
    readonly metadata: readonly KeyValues[];
    readonly documents: readonly DocumentResult[];
  };
}

export interface DocumentResult {
  readonly id: string;
  readonly metadata: readonly (KeyValues & { readonly matchMode: 'ANY' })[];
  readonly chunks: readonly ChunkResult[];
}

export interface ChunkResult {
  readonly id: string;
  readonly content: string;
  readonly metadata: readonly KeyValues[];
  readonly searchScores?: { readonly aggregatedScore: Score; readonly denseRetrievalScore: Score };
  readonly postProcessingScore?: Score;
}

export interface KeyValues {
  readonly key: string;
  readonly value: readonly string[];
}

export interface Score {
  readonly value: number;
}
