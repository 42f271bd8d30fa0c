import type { Question } from '../src/model/question.ts';
import { importQuestions, usualRule } from '../src/evaluation/question-sets/import-questions.ts';
import type { QuestionEntry } from '../src/evaluation/question-sets/stage-questions.ts';
import { findQuestionSet } from '../src/storage/question-sets/question-sets.ts';
import { openDatabase, type Database } from '../src/storage/database/database.ts';
import {
  finishEvaluation,
  startEvaluation,
} from '../src/storage/evaluations/evaluation-life-cycle.ts';
import { localTenant, scopeToTenant } from '../src/storage/database/tenant-scope.ts';
import { insertEvaluation } from '../src/storage/evaluations/evaluations.ts';
import { migrate } from '../src/storage/migrations/migrations.ts';
import { insertOutcomes } from '../src/storage/evaluations/outcomes.ts';
import { type OutcomeHit, type Outcome, noCost } from '../src/model/outcome.ts';

interface FilledSet {
  /** Of the set and of its evaluation. */
  readonly name: string;
  readonly questions: number;
  readonly configurations: readonly string[];
  readonly measures: readonly string[];
}

const hitsEach = 100;
const judgedEach = 20;
const now = '2026-11-30T06:00:00.000Z';

/** Makes a store with a question set, and an evaluation of it that has ended, for each of `sets`. */
export async function fillStore(url: string, sets: readonly FilledSet[]): Promise<void> {
  const db = scopeToTenant(openDatabase(url), localTenant);
  try {
    await migrate(db);
    for (const set of sets) await fillSet(db, set);
  } finally {
    await db.destroy();
  }
}

async function fillSet(
  db: Database,
  { name, questions: count, configurations, measures }: FilledSet,
): Promise<void> {
  const questions = Array.from({ length: count }, (_, index) => makeQuestion(index));
  async function* entries(): AsyncGenerator<QuestionEntry> {
    for (const { judgments, ...question } of questions) {
      yield { question, grades: judgments.map(({ documentId, grade }) => [documentId, grade]) };
    }
  }
  const draft = { db, id: name, now: () => now };
  await importQuestions(draft, name, { ...usualRule, entries: entries() });
  const saved = await findQuestionSet(db, name);
  if (!saved) throw new Error(`Question set ${name} was not stored`);
  const { version, contentHash } = saved;
  await insertEvaluation(db, {
    id: name,
    label: null,
    questionSet: name,
    version,
    contentHash,
    plan: {
      measures,
      sliceBy: ['kind', 'process', 'language', 'tags'],
      intervals: { confidence: 0.95, resamples: 2000, seed: 1 },
      bounds: true,
    },
    total: count * configurations.length,
    rescoreOf: null,
    createdAt: now,
    idempotency: null,
    configurations: configurations.map((run, position) => ({
      position,
      name: run,
      backend: 'run',
      configuration: { backend: 'run', run, depth: hitsEach },
      body: JSON.stringify({ backend: 'run', run, depth: hitsEach }),
      input: null,
    })),
  });
  await startEvaluation(db, name, now);
  for (const configuration of configurations.keys()) {
    const outcomes = questions.map((question, position) =>
      makeOutcome(question, position, configuration),
    );
    for (let start = 0; start < outcomes.length; start += 1000) {
      const part = outcomes.slice(start, start + 1000);
      await db.transaction().execute((trx) => insertOutcomes(trx, name, part));
    }
  }
  await finishEvaluation(db, name, { status: 'succeeded', scorecard: [], error: null, at: now });
}

/** Judged are half of the first 40 documents of the question's own numbers. */
function makeQuestion(index: number): Question {
  const judgments = Array.from({ length: judgedEach }, (_, place) => ({
    documentId: toDocument(index, 2 * place),
    grade: place % 3,
    judge: null,
    judgedAt: now,
    documentVersion: null,
    note: null,
  }));
  return {
    id: `q${index}`,
    text: `what question number ${index} asks of the collection`,
    kind: `kind-${index % 5}`,
    process: `process-${index % 7}`,
    language: index % 2 === 0 ? 'en' : 'de',
    tags: [`tag-${index % 11}`, `tag-${(index + 3) % 11}`],
    answerable: true,
    forbidden: [],
    judgments,
  };
}

/** Each configuration has the same documents in another order, and every third rank one of its own. */
function makeOutcome({ id }: Question, question: number, configuration: number): Outcome {
  const step = [37, 61, 73, 89][configuration % 4] ?? 1;
  const hits = Array.from({ length: hitsEach }, (_, rank): OutcomeHit => {
    const own = (rank * step + question * 7) % hitsEach;
    const documentId =
      rank % 3 === 0 ? `own-${configuration}-${question}-${rank}` : toDocument(question, own);
    return { documentId, score: 1 / (1 + rank), chunkId: null };
  });
  return {
    configuration,
    question,
    questionId: id,
    hits,
    error: null,
    ...noCost,
  };
}

function toDocument(question: number, own: number): string {
  return `D${(question * 131 + own * 977) % 1_000_003}`;
}
