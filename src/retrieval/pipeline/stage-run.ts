import { RetrieverError } from '../../errors.ts';
import type { PipelineStage, StageCost, StageFallback } from '../../model/pipeline-trace.ts';
import { createReplyKeeper, type ReplyKeeper } from './reply-keeper.ts';

/** One stage of one question under way. */
export interface StageRun {
  /** The question was aborted, or the stage timed out. */
  readonly signal: AbortSignal;
  readonly meter: StageMeter;
  /** Keeps what a model replied, for the trace. */
  readonly replies?: ReplyKeeper | undefined;
}

/** What a stage has spent; times of sequential parts add up. */
export type Spent = Omit<StageCost, 'stage' | 'type' | 'promptHash' | 'replies'>;

export interface StageMeter {
  readonly add: (spent: Partial<Spent>) => void;
  readonly read: () => Spent;
}

/** Why a stage has no result, beside a search or a model that did not answer. */
export class StageFailure extends Error {
  override readonly name = 'StageFailure';
  readonly code: 'timeout' | 'unusable-reply' | 'no-scores' | 'no-texts';

  constructor(code: StageFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The stages of one question as they run: what each cost, and which of them gave up. */
export interface StageJournal {
  /**
   * Runs a stage. Undefined when it failed or was late, which the journal keeps; rejects when the question is
   * aborted or another error occurs. Its time is what it metered, else the time that passed.
   */
  readonly run: <Result>(
    part: StagePart,
    signal: AbortSignal,
    work: (run: StageRun) => Promise<Result>,
  ) => Promise<Result | undefined>;
  readonly addFallback: (fallback: StageFallback) => void;
  readonly addCost: (cost: StageCost) => void;
  readonly stages: readonly StageCost[];
  readonly fallbacks: readonly StageFallback[];
}

export interface StagePart {
  readonly stage: PipelineStage;
  readonly type: string;
  readonly promptHash?: string | undefined;
  /** How long it may take; absent: as long as it takes. */
  readonly timeoutMs?: number | undefined;
}

export function createStageJournal(): StageJournal {
  const stages: StageCost[] = [];
  const fallbacks: StageFallback[] = [];
  return {
    stages,
    fallbacks,
    addCost: (cost) => stages.push(cost),
    addFallback: (fallback) => fallbacks.push(fallback),
    async run({ stage, type, promptHash, timeoutMs }, signal, work) {
      const meter = createStageMeter();
      const replies = createReplyKeeper();
      const start = performance.now();
      const isMetered = () => meter.read().latencyMs > 0;
      let failure: StageFailure | RetrieverError | undefined;
      try {
        return await withinTime(timeoutMs, signal, (limited) =>
          work({ signal: limited, meter, replies }),
        );
      } catch (error) {
        signal.throwIfAborted();
        failure = toFailure(error);
        fallbacks.push({ stage, type, code: toFallbackCode(failure), detail: failure.message });
        return undefined;
      } finally {
        const passedMs = performance.now() - start;
        const latencyMs = failure || !isMetered() ? passedMs : meter.read().latencyMs;
        const kept = replies.read();
        stages.push({
          stage,
          type,
          ...meter.read(),
          latencyMs,
          ...(promptHash && { promptHash }),
          ...(kept && { replies: kept }),
        });
      }
    },
  };
}

/** Stops waiting when the time is over, whether the work heeds its signal or not. */
export async function withinTime<Result>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return work(signal);
  const stop = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown) => {
    stop.abort(reason);
    reject(reason);
  };
  const timer = setTimeout(() => {
    giveUp(new StageFailure('timeout', `No result within ${timeoutMs} ms`));
  }, timeoutMs);
  const abort = () => giveUp(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(AbortSignal.any([signal, stop.signal])), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Rethrows what is no failure of a stage. */
export function toFailure(error: unknown): StageFailure | RetrieverError {
  if (error instanceof StageFailure || error instanceof RetrieverError) return error;
  throw error;
}

export function toFallbackCode({ code }: StageFailure | RetrieverError): string {
  if (code === 'retriever-timeout') return 'timeout';
  return code === 'retriever-failed' ? 'failed' : code;
}

function createStageMeter(): StageMeter {
  const total = {
    latencyMs: 0,
    searches: 0,
    pairsReranked: 0,
    modelCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
  };
  return {
    add(spent) {
      total.latencyMs += spent.latencyMs ?? 0;
      total.searches += spent.searches ?? 0;
      total.pairsReranked += spent.pairsReranked ?? 0;
      total.modelCalls += spent.modelCalls ?? 0;
      total.promptTokens += spent.promptTokens ?? 0;
      total.completionTokens += spent.completionTokens ?? 0;
    },
    read: () => ({ ...total }),
  };
}
