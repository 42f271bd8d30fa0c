import type { Question } from '../../model/question.ts';
import { hashJson } from '../../model/hash-content.ts';
import type { GateSnapshot } from '../../model/gate.ts';
import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import {
  createRunCollector,
  readRun,
  type RunQuestions,
  type RunReadOptions,
} from '../comparison/read-run.ts';
import { getConfiguration } from '../lifecycle/describe-evaluation.ts';
import { joinOutcomes, toBatches } from '../outcomes/join-outcomes.ts';
import { streamSelected } from '../outcomes/stream-outcomes.ts';
import type { MeasuredSubject } from './compare-subjects.ts';

export interface BaselineRun extends MeasuredSubject {
  readonly questions: RunQuestions;
  /** The version whose judgments it was scored with, where that is not its own. */
  readonly rescoredTo: number | undefined;
}

/**
 * The run that a gate holds an evaluation against. Where nothing but judgments changed since, its stored rankings are
 * scored with the judgments of the evaluation, so that both sides have the same labels and nothing is searched. Undefined:
 * its evaluation was deleted.
 */
export async function readBaseline(
  db: Database,
  { evaluation: id, configuration: name }: NonNullable<GateSnapshot['baseline']>,
  { evaluation, ...options }: RunReadOptions & { readonly evaluation: StoredEvaluation },
): Promise<BaselineRun | undefined> {
  const source = id === null ? evaluation : await findEvaluation(db, id);
  if (!source) return undefined;
  const configuration = await getConfiguration(db, source.id, name);
  const subject = { evaluation: source, configuration };
  const places = await findSameQuestions(db, source, evaluation);
  if (!places) {
    const reference = { evaluation: source.id, configuration: name };
    const questions = await readRun(db, reference, { ...options, evaluation: source });
    return { ...subject, questions, rescoredTo: undefined };
  }
  const run = await createRunCollector(db, evaluation, options);
  const outcomes = {
    evaluationId: source.id,
    configuration: configuration.position,
    positionOf: ({ question }: PositionedQuestion) => places.get(question.id),
  };
  const batches = toBatches(streamSelected(db, evaluation), questionsPerBatch);
  for await (const joined of joinOutcomes(db, batches, [outcomes])) {
    const [outcome] = joined.outcomes;
    if (outcome) run.add(joined.asked.question, outcome);
  }
  return { ...subject, questions: run.questions, rescoredTo: evaluation.version };
}

const questionsPerBatch = 100;

/**
 * Where each question of the evaluation stands in the version that the baseline asked. Undefined: both asked the same
 * version, or they differ in more than judgments.
 */
async function findSameQuestions(
  db: Database,
  source: StoredEvaluation,
  evaluation: StoredEvaluation,
): Promise<ReadonlyMap<string, number> | undefined> {
  const isOther = source.contentHash !== evaluation.contentHash;
  if (!isOther || source.questionSet !== evaluation.questionSet) return undefined;
  const asked = new Map<string, { readonly position: number; readonly hash: string }>();
  for await (const { position, question } of streamSelected(db, source)) {
    asked.set(question.id, { position, hash: hashAsked(question) });
  }
  const places = new Map<string, number>();
  for await (const { question } of streamSelected(db, evaluation)) {
    const before = asked.get(question.id);
    if (before?.hash !== hashAsked(question)) return undefined;
    places.set(question.id, before.position);
  }
  return places.size === asked.size ? places : undefined;
}

/** Over what a search may depend on, and what slices read. */
function hashAsked({
  text,
  history,
  user,
  kind,
  process,
  language,
  split,
  tags,
}: Question): string {
  return hashJson([text, history, user, kind, process, language, split, tags]);
}
