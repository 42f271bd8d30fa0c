import type { FastifyInstance } from 'fastify';

import { ask, evaluate, type EvaluationAnswer } from './client.ts';

/** The ranks at which each question's one relevant document stands; 0: the run does not have it. */
export type Ranks = readonly number[];

export interface RankedQuestion {
  readonly id: string;
  readonly text: string;
  readonly kind?: string;
  readonly relevant: Readonly<Record<string, number>>;
}

/** Questions q01, q02, … with one relevant document each, so that RR is 1 over its rank. */
export function rankedQuestions(count: number): RankedQuestion[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    text: `question ${index + 1}`,
    relevant: { yes: 1 },
  }));
}

/** Imports a run in which question i has its document at rank `ranks[i]`. */
async function putRun(app: FastifyInstance, name: string, ranks: Ranks): Promise<void> {
  const rankings = Object.fromEntries(ranks.map((rank, index) => [idOf(index), toRanking(rank)]));
  await ask(app, 'PUT', `/v1/runs/${name}`, { body: { rankings } });
}

/** Imports runs and evaluates them together, each under its own name, on question set `s`. */
export async function evaluateRanks(
  app: FastifyInstance,
  runs: Readonly<Record<string, Ranks>>,
  more: object = {},
): Promise<EvaluationAnswer> {
  for (const [name, ranks] of Object.entries(runs)) await putRun(app, name, ranks);
  return evaluate(app, {
    questionSet: 's',
    configurations: Object.keys(runs).map((name) => ({ name, backend: 'run', run: name })),
    measures: ['RR'],
    ...more,
  });
}

function idOf(index: number): string {
  return `q${String(index + 1).padStart(2, '0')}`;
}

function toRanking(rank: number): { documentId: string }[] {
  if (rank === 0) return [{ documentId: 'no' }];
  const before = Array.from({ length: rank - 1 }, (_, place) => ({ documentId: `no${place}` }));
  return [...before, { documentId: 'yes' }];
}
