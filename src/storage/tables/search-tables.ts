export interface CorpusTable {
  name: string;
  content_hash: string;
  documents: number;
  /** JSON: Lexicon, or null. */
  lexicon: string | null;
  updated_at: string;
}

export interface CorpusDocumentTable {
  corpus: string;
  document_id: string;
  position: number;
  /** JSON: CorpusDocument. */
  body: string;
}

export interface SearchConfigurationTable {
  name: string;
  /** JSON: the configuration without its name. */
  body: string;
  updated_at: string;
}

export interface RunTable {
  name: string;
  content_hash: string;
  questions: number;
  hits: number;
  created_at: string;
  /** Whose rankings are the run's. */
  revision: string;
  /** JSON: RunNotes; null: it is older than them. */
  notes: string | null;
}

export interface RunRankingTable {
  /** A run has one revision; one that no run names belongs to the draft of that id. */
  revision: string;
  question_id: string;
  position: number;
  /** How many documents it has; null: stored by an earlier release. */
  documents: number | null;
  /** JSON: [documentId, score | null][]. */
  hits: string;
}

/** What is being written, or is to be removed. Nobody sees it: its parts, its rankings, and its set's next version. */
export interface DraftTable {
  id: string;
  /** The question set whose next version it writes. Nobody else writes one meanwhile. */
  question_set: string | null;
  /** When it was last written to. */
  touched_at: string;
  /** 0 or 1: it is given up, and being removed. */
  is_dropped: number;
}

/** Entries of a body as they came, spread over buckets by question. */
export interface DraftPartTable {
  draft: string;
  bucket: number;
  part: number;
  /** JSON: see `stageEntries`. */
  body: string;
}
