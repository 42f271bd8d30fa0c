import { z } from 'zod';

/**
 * The part of a search's answer that is read. What would hide chunks is held to its shape, so that an answer
 * of another kind does not pass for one without results. Everything else may be absent or null.
 */
export interface SearchAnswer {
  readonly results: readonly AnswerEntry[];
}

/** What one filter or post-processing operation brought. */
export interface AnswerEntry {
  readonly filterId: string | null;
  /** Undefined: it did not fail. */
  readonly error: string | undefined;
  /** Whether it has a list of results, be it an empty one. */
  readonly hasResults: boolean;
  readonly repositories: readonly AnswerRepository[];
}

export interface AnswerRepository {
  readonly id: string | null;
  readonly title: string | null;
  readonly documents: readonly AnswerDocument[];
}

export interface AnswerDocument {
  readonly id: string | null;
  readonly metadata: readonly MetadataEntry[];
  readonly chunks: readonly AnswerChunk[];
}

export interface AnswerChunk {
  readonly id: string | null;
  readonly content: string;
  readonly metadata: readonly MetadataEntry[];
  /** Undefined: missing, or not a finite number. */
  readonly postProcessingScore: number | undefined;
  readonly aggregatedScore: number | undefined;
  readonly denseScore: number | undefined;
}

export interface MetadataEntry {
  readonly key: string;
  readonly value: readonly string[];
}

/** Undefined when the body is not a search's answer. */
export function parseSearchAnswer(body: unknown): SearchAnswer | undefined {
  return Answer.safeParse(body).data;
}

/** Present or not, of any kind. */
const anything = z.unknown().optional();

const Id = anything.transform((id) => toText(id) ?? null);

const Score = anything.transform((score) => {
  const value = isRecord(score) ? score['value'] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
});

const Metadata = anything.transform((entries): readonly MetadataEntry[] => {
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).flatMap(({ key, value }) => {
    const values = Array.isArray(value) ? value : [value];
    return typeof key === 'string'
      ? [{ key, value: values.flatMap((one) => toText(one) ?? []) }]
      : [];
  });
});

const Scores = z
  .object({ aggregatedScore: Score, denseRetrievalScore: Score })
  .nullish()
  .catch(null);

const Chunk = z
  .object({
    id: Id,
    content: z
      .string()
      .nullish()
      .catch(null)
      .transform((text) => text ?? ''),
    metadata: Metadata,
    searchScores: Scores,
    postProcessingScore: Score,
  })
  .transform(({ searchScores, ...chunk }) => ({
    ...chunk,
    aggregatedScore: searchScores?.aggregatedScore,
    denseScore: searchScores?.denseRetrievalScore,
  }));

const Document = z.object({ id: Id, metadata: Metadata, chunks: z.array(Chunk) });

const Repository = z.object({ id: Id, title: Id, documents: z.array(Document) });

const Entry = z
  .object({
    filterId: Id,
    error: anything,
    results: z.array(z.object({ dataRepository: Repository })).nullish(),
  })
  .transform(({ filterId, error, results }) => ({
    filterId,
    error: readError(error),
    hasResults: Array.isArray(results),
    repositories: (results ?? []).map(({ dataRepository }) => dataRepository),
  }));

const Answer = z.object({ results: z.array(Entry) });

function readError(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const message = isRecord(error) ? error['message'] : error;
  return toText(message) ?? 'without a message';
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
