export interface QuestionSetTable {
  name: string;
  description: string | null;
  latest_version: number;
  /** Versions up to this one were deleted; evaluations may still read them. 0: none was. */
  deleted_through: number;
}

export interface QuestionSetVersionTable {
  question_set: string;
  version: number;
  content_hash: string;
  questions: number;
  judgments: number;
  created_at: string;
  /** User or client; null: no authentication. */
  created_by: string | null;
}

/** A question as it stands from one version on, until another. A version is never copied: it is a cut through these rows. */
export interface QuestionTable {
  question_set: string;
  question_id: string;
  from_version: number;
  /** The first version that has it no more, or has it otherwise; null: none. */
  until_version: number | null;
  position: number;
  split: string | null;
  content_hash: string;
  /** JSON: Question. */
  body: string;
}

/** Verdicts that a judge gives in one go. The judge's browser chooses the id, unique within the tenant. */
export interface SittingTable {
  id: string;
  question_set: string;
  judge: string;
  opened_at: string;
  /** When it was opened, or the latest verdict arrived. */
  touched_at: string;
  /** From then on it takes no verdicts. */
  closed_at: string | null;
  /** JSON: what became of it; null: not a version yet. */
  result: string | null;
}

export interface SittingVerdictTable {
  sitting: string;
  question_id: string;
  document_id: string;
  grade: number;
  document_version: string | null;
  note: string | null;
  judged_at: string;
}
