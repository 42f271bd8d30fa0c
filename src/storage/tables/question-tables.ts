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
  /** User or client; null: nobody signed in. */
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
