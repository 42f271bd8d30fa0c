import fc from 'fast-check';

import { pumpDocuments, pumpLexicon, pumpQuestions } from '../fixtures.ts';
import { pickFrom, seedName, type KnownValues } from './known-values.ts';

/** Stands for the id of an evaluation. */
const evaluation = '<evaluation>';

const pair = { evaluation, baseline: seedName, candidate: 'hybrid' };
const inline = { name: 'inline', backend: 'local', corpus: seedName, method: 'rerank' };
const eachOf = { questionSet: seedName, configurations: [seedName, 'hybrid'] };
const vector = {
  id: 'f',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  searchConfiguration: { maxChunkCount: 5 },
};

/**
 * Bodies that get far into their operation, for what a schema alone seldom hits upon: fields that go
 * together. An operation that is not named here is reached by its schema and its example.
 */
const bodies: Readonly<Record<string, readonly unknown[]>> = {
  putQuestionSet: [{ questions: pumpQuestions }],
  addJudgments: [
    { judge: 'jo', judgments: [{ questionId: 'q1', documentId: 'P3', grade: 1, note: 'n' }] },
  ],
  openSitting: [{ judge: 'jo' }],
  addVerdicts: [{ verdicts: [{ questionId: 'q1', documentId: 'P3', grade: 1, note: 'n' }] }],
  putQrels: [{ q1: { P1: 1, P2: 2 }, q3: { P3: 1 } }],
  putCorpus: [{ documents: pumpDocuments, lexicon: pumpLexicon }],
  putRun: [
    { rankings: { q1: [{ documentId: 'P1', score: 2 }], q2: [] } },
    { q1: { P1: 2, P2: 1 } },
  ],
  putSearchConfiguration: [
    { backend: 'local', corpus: seedName, method: 'vector', filters: [vector] },
    { backend: 'run', run: seedName },
    {
      backend: 'local',
      corpus: seedName,
      method: 'bm25',
      pipeline: {
        rewrite: { type: 'glossary', terms: { drips: 'leaks' } },
        fusion: { type: 'rrf' },
      },
    },
    {
      backend: 'aicore',
      resourceGroup: 'default',
      filters: [vector],
      documentId: { from: 'chunkMetadata', key: 'docId', pattern: '^(P\\d)' },
    },
  ],
  searchOnce: [
    { configuration: seedName, text: 'pump', depth: 2 },
    { configuration: inline, text: 'pump', history: [{ role: 'user', text: 'oil' }] },
  ],
  createEvaluation: [
    eachOf,
    { ...eachOf, configurations: [inline, seedName], sliceBy: ['kind', 'tags'], label: 'x' },
    { ...eachOf, cutoffs: [1, 3], sample: { size: 2, seed: 7 } },
    { ...eachOf, bounds: true, intervals: true, diagnose: true },
    { ...eachOf, gate: { baseline: seedName, measure: 'RR', maxDrop: 0.1 } },
  ],
  putPrices: [
    { currency: 'EUR', perSearch: 0.01 },
    { currency: 'USD', models: { m: { per1000PromptTokens: 1, per1000CompletionTokens: 2 } } },
  ],
  startJobRun: [eachOf],
  rescoreEvaluation: [{ measures: ['RR', 'P@1'] }, { version: 1 }],
  putBaseline: [{ evaluation, configuration: seedName }],
  putSchedule: [{ cron: '15 2 * * *', timeZone: 'Europe/Berlin', evaluation: eachOf }],
  putAlertTarget: [
    { type: 'webhook', url: 'https://hooks.example.com/x', secret: 'sixteen characters' },
  ],
  compareRuns: [
    { ...pair, measure: 'RR', seed: 7, resamples: 1000 },
    { evaluation, baseline: seedName, candidates: ['hybrid'], measures: ['RR', 'P@1'] },
    { ...pair, measure: 'nDCG@3', sliceBy: ['kind'] },
    { evaluation, pairs: 'all', measure: 'RR' },
  ],
  planPower: [
    { n: 50, sd: 0.3 },
    { sd: 0.2, difference: 0.05 },
    { ...pair, measure: 'RR' },
  ],
  buildPool: [
    { evaluation, depth: 3 },
    { evaluations: [evaluation], depth: 2, bias: true },
    { evaluation, order: 'impact', pair: [seedName, 'hybrid'], measure: 'nDCG@3' },
  ],
};

export function goodBodiesOf(
  operationId: string,
  known: KnownValues,
): fc.Arbitrary<unknown> | undefined {
  const found = bodies[operationId];
  if (!found) return undefined;
  return fc
    .tuple(fc.constantFrom(...found), pickFrom(known.evaluations, 'none'))
    .map(([body, id]): unknown => JSON.parse(JSON.stringify(body).replaceAll(evaluation, id)));
}
