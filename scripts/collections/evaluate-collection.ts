import { evaluate } from '../../src/cli/service/evaluate.ts';
import { withService } from '../../src/cli/service/open-service.ts';
import type { Collection } from './collection.ts';

export interface CollectionResult {
  readonly configuration: string;
  readonly questions: number;
  readonly measures: Readonly<Record<string, number | null>>;
}

const measures = ['AP', 'P@30', 'nDCG@10'];
const local = { backend: 'local', corpus: 'documents', method: 'bm25', depth: 1000 };
const whole = { ...local, chunking: { strategy: 'whole' } };
const configurations = [
  { ...whole, name: 'english-k1_0.9-b_0.4', analyzer: 'english', k1: 0.9, b: 0.4 },
  { ...whole, name: 'english', analyzer: 'english' },
  { ...whole, name: 'plain', analyzer: 'plain' },
];

/** Evaluates the local backend on a collection, in a service of this process. Means go over the judged topics. */
export async function evaluateCollection(
  collection: Collection,
  signal: AbortSignal,
): Promise<readonly CollectionResult[]> {
  return withService({ options: {}, signal }, async (service) => {
    const documents = collection.documents.map(({ id, title, text }) => ({
      id,
      title,
      paragraphs: [text],
    }));
    const path = '/v1/corpora/documents';
    await service.call({ method: 'PUT', path, body: { json: { documents } } });
    const questions = toQuestions(collection);
    const setPath = '/v1/question-sets/topics';
    await service.call({ method: 'PUT', path: setPath, body: { json: { questions } } });
    const request = { questionSet: 'topics', configurations, measures, average: 'labelled' };
    const { scorecard } = await evaluate(service, request);
    return (scorecard ?? []).map((row) => {
      if (row.questions.failed > 0) throw new Error(`${row.questions.failed} searches failed`);
      return {
        configuration: row.configuration,
        questions: row.questions.scored,
        measures: row.measures,
      };
    });
  });
}

function toQuestions({ topics, qrels }: Collection): readonly object[] {
  const byTopic = Map.groupBy(qrels, ({ topic }) => topic);
  return topics.map(({ id, text }) => {
    const judgments = byTopic.get(id) ?? [];
    const relevant = Object.fromEntries(judgments.map(({ document, grade }) => [document, grade]));
    return { id, text, relevant };
  });
}
