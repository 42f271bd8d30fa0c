/** Runs evaluations outside the requests that ask for them. */
export interface EvaluationJobs {
  /** Takes over an evaluation that is stored as queued. Returns at once. */
  readonly enqueue: (evaluationId: string) => void;
  /** Takes over every evaluation that an earlier process left unfinished. */
  readonly resume: () => Promise<void>;
  /** Stops the work on an evaluation whose end is stored already. */
  readonly abort: (evaluationId: string) => void;
  /** Takes no more work, stops what runs and waits until all that arrived is stored. */
  readonly close: () => Promise<void>;
}

/** What the queue tells about faults. Ids and causes only, never questions. */
export interface JobLog {
  readonly info: (context: object, message: string) => void;
  readonly error: (context: object, message: string) => void;
}
