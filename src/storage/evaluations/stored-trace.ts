import { z } from 'zod';

import type { Ranking } from '../../ir/run.ts';
import type { Immutable } from '../../model/immutable.ts';
import {
  pipelineStages,
  versionKinds,
  type PipelineTrace,
  type StageCost,
} from '../../model/pipeline-trace.ts';
import { parseStored, type StoredPlace } from '../database/parse-stored.ts';

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

export function parseTrace(text: string, place: StoredPlace<'outcome'>): PipelineTrace {
  const stored = parseStored(StoredTrace, text, place);
  const { documents, versions, fused, candidates, reranked, scores, cut } = stored;
  const toRanking = (places: readonly number[]): Ranking =>
    places.map((index) => documents[index] ?? null);
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

const Places = z.array(z.number());

/** What came to be a part of it later ends the list. */
const StoredStage = z.tuple([
  z.enum(pipelineStages),
  /** Its type. */
  z.string(),
  /** Milliseconds, searches, re-ranked pairs, model calls, prompt tokens, completion tokens. */
  ...([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()] as const),
  /** The hash of the prompt. */
  z.string().nullish(),
  z.object({ texts: z.array(z.string()), omitted: z.number() }).optional(),
]);
type StoredStage = z.infer<typeof StoredStage>;

const StoredTrace = z.object({
  documents: z.array(z.string()),
  versions: z.array(
    z.object({
      kind: z.enum(versionKinds),
      text: z.string().optional(),
      droppedCodes: z.array(z.string()).optional(),
      ranking: Places.nullable(),
    }),
  ),
  fused: Places.optional(),
  candidates: z.number().optional(),
  reranked: Places.optional(),
  scores: z.array(z.number()).optional(),
  cut: z.object({ minScore: z.number(), below: z.number(), notReranked: z.number() }).optional(),
  stages: z.array(StoredStage),
  fallbacks: z
    .array(
      z.object({
        stage: z.enum(pipelineStages),
        type: z.string(),
        code: z.string(),
        detail: z.string(),
      }),
    )
    .optional(),
});
type StoredTrace = Immutable<z.infer<typeof StoredTrace>>;

function placeOf(places: Map<string, number>, documentId: string): number {
  const known = places.get(documentId);
  if (known !== undefined) return known;
  places.set(documentId, places.size);
  return places.size - 1;
}

function toStoredStage({
  stage,
  type,
  promptHash,
  replies,
  ...spent
}: StageCost): Immutable<StoredStage> {
  const { latencyMs, searches, pairsReranked, modelCalls, promptTokens, completionTokens } = spent;
  const tokens = [promptTokens, completionTokens] as const;
  const counts = [latencyMs, searches, pairsReranked, modelCalls, ...tokens] as const;
  if (replies) return [stage, type, ...counts, promptHash ?? null, replies];
  return promptHash === undefined ? [stage, type, ...counts] : [stage, type, ...counts, promptHash];
}

function toStage(stored: Immutable<StoredStage>): StageCost {
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
