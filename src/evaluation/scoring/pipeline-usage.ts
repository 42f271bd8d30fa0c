import { addUpStages, type PipelineTrace, type StageCost } from '../../model/pipeline-trace.ts';
import { summarizeLatencies } from './latency.ts';
import type { FallbackCause, StageUsage, PipelineUsage } from '../../model/scorecard.ts';
import type { Outcome } from '../../model/outcome.ts';

export interface PipelineUsageCollector {
  readonly add: (outcome: Outcome) => void;
  /** Undefined: no question went through a pipeline. */
  readonly toUsage: () => PipelineUsage | undefined;
}

export function createPipelineUsage(): PipelineUsageCollector {
  const stages = new Map<string, StageCost[]>();
  const causes = new Map<string, FallbackCause>();
  const questions = { traced: 0, fallen: 0, dropped: 0 };
  const cuts = createCutCounter();

  function addCause({ stage, type, code }: Omit<FallbackCause, 'questions'>): void {
    const key = JSON.stringify([stage, type, code]);
    const known = causes.get(key)?.questions ?? 0;
    causes.set(key, { stage, type, code, questions: known + 1 });
  }

  return {
    add({ trace, hits }) {
      if (!trace) return;
      cuts.add(trace, hits?.length ?? 0);
      questions.traced += 1;
      for (const cost of addUpParts(trace.stages)) addCost(stages, cost);
      for (const fallback of uniqueCauses(trace.fallbacks)) addCause(fallback);
      questions.fallen += trace.fallbacks.length > 0 ? 1 : 0;
      questions.dropped += trace.versions.some(({ droppedCodes }) => droppedCodes) ? 1 : 0;
    },
    toUsage() {
      if (questions.traced === 0) return undefined;
      const sorted = [...causes.values()].toSorted((a, b) => b.questions - a.questions);
      return {
        stages: [...stages.values()].map(toStageUsage),
        fallbacks: { questions: questions.fallen, causes: sorted },
        droppedCodes: questions.dropped,
        ...cuts.toUsage(),
      };
    },
  };
}

interface CutCounter {
  readonly add: (trace: PipelineTrace, left: number) => void;
  readonly toUsage: () => Pick<PipelineUsage, 'cut'>;
}

function createCutCounter(): CutCounter {
  const cut = { hits: 0, questions: 0, emptied: 0 };
  let hasMinScore = false;
  return {
    add(trace, left) {
      if (!trace.cut) return;
      hasMinScore = true;
      const hits = trace.cut.below + trace.cut.notReranked;
      cut.hits += hits;
      cut.questions += hits > 0 ? 1 : 0;
      cut.emptied += hits > 0 && left === 0 ? 1 : 0;
    },
    toUsage: () => (hasMinScore ? { cut: { ...cut } } : {}),
  };
}

/** Two rewritings of one kind are one stage of the question, which took the time of both. */
function addUpParts(costs: readonly StageCost[]): readonly StageCost[] {
  const parts = new Map<string, StageCost[]>();
  for (const cost of costs) addCost(parts, cost);
  return [...parts.values()].flatMap((each) => {
    const [first] = each;
    return first ? [{ stage: first.stage, type: first.type, ...addUpStages(each) }] : [];
  });
}

function addCost(stages: Map<string, StageCost[]>, cost: StageCost): void {
  const key = JSON.stringify([cost.stage, cost.type]);
  const costs = stages.get(key) ?? [];
  costs.push(cost);
  stages.set(key, costs);
}

/** Two versions that failed alike are one reason of one question. */
function uniqueCauses(
  fallbacks: readonly Omit<FallbackCause, 'questions'>[],
): readonly Omit<FallbackCause, 'questions'>[] {
  const byKey = fallbacks.map(
    (fallback) =>
      [JSON.stringify([fallback.stage, fallback.type, fallback.code]), fallback] as const,
  );
  return [...new Map(byKey).values()];
}

function toStageUsage(costs: readonly StageCost[]): StageUsage {
  const [{ stage, type } = { stage: 'search' as const, type: '' }] = costs;
  const latencyMs = summarizeLatencies(costs.map((cost) => cost.latencyMs));
  return { ...addUpStages(costs), stage, type, questions: costs.length, latencyMs };
}
