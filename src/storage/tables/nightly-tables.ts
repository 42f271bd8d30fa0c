/** A message that must leave the service. What it is called is what it says, so nothing is said twice. */
export interface OutboxTable {
  id: string;
  kind: string;
  /** The alert target it goes to; null: what the kind says. */
  target: string | null;
  /** JSON: by kind. */
  payload: string;
  status: string;
  attempts: number;
  /** How often it was begun to be sent without an end; more than once: the process died of it, or beside it. */
  begun: number;
  created_at: string;
  /** When it is tried next; while an instance sends it, when others may take it over. */
  next_attempt_at: string;
  finished_at: string | null;
  last_error: string | null;
}

export interface ScheduleTable {
  name: string;
  cron: string;
  time_zone: string;
  /** JSON: EvaluationRequest. */
  evaluation: string;
  /** 0 or 1. */
  enabled: number;
  /** JSON: names of alert targets; null: all. */
  notify: string | null;
  /** The next tick; null while the schedule is disabled. */
  next_at: string | null;
  updated_at: string;
}

export interface ScheduleTickTable {
  schedule: string;
  tick_at: string;
  status: string;
  /** JSON: what to evaluate, as the schedule said it at the tick; null when the tick is done. */
  evaluation: string | null;
  claimed_at: string;
  /** How often its evaluation was begun to be made without an end. */
  begun: number;
  evaluation_id: string | null;
  /** JSON: { code, detail }. */
  error: string | null;
}

/** A run of SAP's Job Scheduling Service, which waits for one update. */
export interface JobRunTable {
  run_id: string;
  job_id: string;
  schedule_id: string;
  evaluation_id: string;
  created_at: string;
  /** When its update went into the outbox; null: its evaluation has not ended. */
  reported_at: string | null;
}

export interface AlertTargetTable {
  name: string;
  /** JSON: AlertTarget, secret included. */
  body: string;
  updated_at: string;
}

/** Every event that was sent, so that it is sent once. */
export interface AlertEventTable {
  id: string;
  /** JSON: AlertEvent. */
  body: string;
  occurred_at: string;
}
