import type {
  MinScoreCut,
  PipelineStage,
  PipelineTrace,
  SearchedVersion,
  StageCost,
  StageFallback,
  StageReplies,
  VersionKind,
} from '../../model/pipeline-trace.ts';
import type { Ranking } from '../../ir/run.ts';

/**
 * A trace as JSON. The rankings of one question hold nearly the same documents, so that each id is written
 * once and the rankings are places in that list, -1 for a chunk without a document.
 */
export function formatTrace(trace: PipelineTrace): string {
  const places = new Map<string, number>();
  const toPlaces = (ranking: Ranking) =>
    ranking.map((documentId) => (documentId === null ? -1 : placeOf(places, documentId)));
  const versions = trace.versions.map(({ kind, text, droppedCodes, ranking }) => ({
    kind,
    text,
    droppedCodes,
    ranking: ranking && toPlaces(ranking),
  }));
  const { fused, candidates, reranked, scores, cut, fallbacks } = trace;
  const stored: StoredTrace = {
    versions,
    fused: fused && toPlaces(fused),
    candidates,
    reranked: reranked && toPlaces(reranked),
    scores,
    cut,
    stages: trace.stages.map(toStoredStage),
    fallbacks: fallbacks.length > 0 ? fallbacks : undefined,
    documents: [...places.keys()],
  };
  return JSON.stringify(stored);
}

export function parseTrace(text: string): PipelineTrace {
  const stored = JSON.parse(text) as StoredTrace;
  const { documents, versions, fused, candidates, reranked, scores, cut } = stored;
  const toRanking = (places: readonly number[]): Ranking =>
    places.map((place) => documents[place] ?? null);
  return {
    versions: versions.map(({ ranking, ...version }) => ({
      ...version,
      ranking: ranking && toRanking(ranking),
    })),
    ...(fused && { fused: toRanking(fused) }),
    ...(candidates !== undefined && { candidates }),
    ...(reranked && { reranked: toRanking(reranked) }),
    ...(scores && { scores }),
    ...(cut && { cut }),
    stages: stored.stages.map(toStage),
    fallbacks: stored.fallbacks ?? [],
  };
}

interface StoredTrace {
  readonly documents: readonly string[];
  readonly versions: readonly (Omit<SearchedVersion, 'kind' | 'ranking'> & {
    readonly kind: VersionKind;
    readonly ranking: readonly number[] | null;
  })[];
  readonly fused?: readonly number[] | undefined;
  readonly candidates?: number | undefined;
  readonly reranked?: readonly number[] | undefined;
  readonly scores?: readonly number[] | undefined;
  readonly cut?: MinScoreCut | undefined;
  readonly stages: readonly StoredStage[];
  readonly fallbacks?: readonly StageFallback[] | undefined;
}

type StoredStage = [
  stage: PipelineStage,
  type: string,
  latencyMs: number,
  searches: number,
  pairsReranked: number,
  modelCalls: number,
  promptTokens: number,
  completionTokens: number,
  promptHash?: string | null,
  replies?: StageReplies,
];

function placeOf(places: Map<string, number>, documentId: string): number {
  const known = places.get(documentId);
  if (known !== undefined) return known;
  places.set(documentId, places.size);
  return places.size - 1;
}

function toStoredStage({ stage, type, promptHash, replies, ...spent }: StageCost): StoredStage {
  const { latencyMs, searches, pairsReranked, modelCalls, promptTokens, completionTokens } = spent;
  const tokens = [promptTokens, completionTokens] as const;
  const counts = [latencyMs, searches, pairsReranked, modelCalls, ...tokens] as const;
  if (replies) return [stage, type, ...counts, promptHash ?? null, replies];
  return promptHash === undefined ? [stage, type, ...counts] : [stage, type, ...counts, promptHash];
}

function toStage(stored: StoredStage): StageCost {
  const [stage, type, latencyMs, searches, pairsReranked, modelCalls] = stored;
  const [promptTokens, completionTokens] = [stored[6], stored[7]];
  const [promptHash, replies] = [stored[8] ?? undefined, stored[9]];
  return {
    stage,
    type,
    latencyMs,
    searches,
    pairsReranked,
    modelCalls,
    promptTokens,
    completionTokens,
    ...(promptHash !== undefined && { promptHash }),
    ...(replies && { replies }),
  };
}
