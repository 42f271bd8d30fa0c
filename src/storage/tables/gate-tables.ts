/** A run that later ones are held against, by name. */
export interface BaselineTable {
  name: string;
  evaluation_id: string;
  /** The name of a configuration of that evaluation. */
  configuration: string;
  created_at: string;
}

export interface GateDecisionTable {
  evaluation_id: string;
  /** JSON: GateDecision. */
  body: string;
}

/** What a night's differences to a baseline were when they were last read off the rankings. */
export interface NightDifferenceTable {
  evaluation_id: string;
  baseline_evaluation: string;
  /** The name that the configuration has on both sides. */
  configuration: string;
  measure: string;
  /** When both ended: an evaluation that went on since makes the entry stale. */
  state: string;
  /** JSON: RunDifferences. */
  body: string;
}
