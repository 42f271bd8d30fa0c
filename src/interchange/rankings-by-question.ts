import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { isRecord } from './json-node.ts';
import { readPlace, toPointer, type HitEntry, type Reading } from './reading.ts';
import { readId, type ReadOptions } from './records.ts';

/** Reads lists of documents, or scores by document, for each question of an object. */
export function* readByQuestion(
  value: unknown,
  pointer: string,
  options: ReadOptions,
): Generator<Reading<HitEntry>> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0) yield { issue: { pointer: '/rankings', detail: 'has no rankings' } };
  for (const [questionId, ranking] of entries) {
    const place = pointer + toPointer(questionId);
    if (Array.isArray(ranking)) {
      yield* readRanking(questionId, { ranking, pointer: place }, options);
    } else if (isRecord(ranking)) {
      yield* readScores(questionId, { ranking, pointer: place }, options);
    } else {
      const detail =
        'must be a list of documents, for example [{"documentId":"D04","score":7.1}], or an object of scores, for example {"D04":7.1}';
      yield { issue: { pointer: place, detail } };
    }
  }
}

function* readRanking(
  questionId: string,
  { ranking, pointer }: { readonly ranking: readonly unknown[]; readonly pointer: string },
  options: ReadOptions,
): Generator<Reading<HitEntry>> {
  if (ranking.length === 0) yield { value: { questionId, score: null } };
  const scored = ranking.filter((hit) => isRecord(hit) && hit['score'] !== undefined).length;
  if (scored !== 0 && scored !== ranking.length) {
    const detail = 'either every document of a ranking has a score or none has';
    yield { issue: { pointer, detail } };
    return;
  }
  const seen = new Set<string>();
  for (const [index, hit] of ranking.entries()) {
    const reading = readPlace({ pointer: pointer + toPointer(index) }, () => ({
      questionId: readId(questionId, 'question id', options),
      ...readRanked(hit, options),
    }));
    if (!reading || 'issue' in reading) {
      if (reading) yield reading;
      continue;
    }
    const { documentId = '' } = reading.value;
    const place = `${pointer}${toPointer(index)}${typeof hit === 'string' ? '' : '/documentId'}`;
    const detail = `Duplicate document '${documentId}' in this ranking`;
    if (seen.has(documentId)) yield { issue: { pointer: place, detail } };
    else yield reading;
    seen.add(documentId);
  }
}

function readRanked(hit: unknown, options: ReadOptions): Pick<HitEntry, 'documentId' | 'score'> {
  if (typeof hit === 'string') {
    return { documentId: readId(hit, 'document id', options), score: null };
  }
  if (!isRecord(hit) || typeof hit['documentId'] !== 'string') {
    throw new InterchangeError(
      'must be a document id, or an object with one: {"documentId":"D04","score":7.1}',
    );
  }
  const unknownKey = Object.keys(hit).find((key) => key !== 'documentId' && key !== 'score');
  if (unknownKey !== undefined) throw new InterchangeError(`'${unknownKey}' is not a known field`);
  const documentId = readId(hit['documentId'], 'document id', options);
  return { documentId, score: hit['score'] === undefined ? null : readJsonScore(hit['score']) };
}

function* readScores(
  questionId: string,
  {
    ranking,
    pointer,
  }: { readonly ranking: Readonly<Record<string, unknown>>; readonly pointer: string },
  options: ReadOptions,
): Generator<Reading<HitEntry>> {
  const scores = Object.entries(ranking);
  if (scores.length === 0) yield { value: { questionId, score: null } };
  for (const [documentId, score] of scores) {
    const reading = readPlace({ pointer: pointer + toPointer(documentId) }, () => ({
      questionId: readId(questionId, 'question id', options),
      documentId: readId(documentId, 'document id', options),
      score: readJsonScore(score),
    }));
    if (reading) yield reading;
  }
}

function readJsonScore(score: unknown): number {
  if (typeof score === 'number' && Number.isFinite(score)) return score + 0;
  throw new InterchangeError('the score must be a finite number');
}
