import { findLostDocuments, type LostDocument } from '../../ir/funnel/lost-documents.ts';
import { toJudgments } from '../../ir/qrels.ts';
import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  readDiagnosisSearches,
  type DiagnosisSearch,
} from '../../storage/evaluations/diagnosis-searches.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamOutcomes, toStatus } from '../outcomes/stream-outcomes.ts';
import { toFunnelLists } from './funnel-lists.ts';
import { hashSearch } from '../outcomes/search-hash.ts';
import type { DiagnosisOptions } from '../../model/diagnosis.ts';
import type { Outcome } from '../../model/outcome.ts';

/** One question that was answered, with each relevant document that its top k lacks. */
export interface DiagnosedQuestion {
  readonly position: number;
  readonly question: Question;
  readonly relevant: number;
  readonly lost: readonly GradedLoss[];
  readonly unfiltered: UnfilteredState;
}

export interface GradedLoss extends LostDocument {
  readonly grade: number;
}

/** Whether it is known what the conditions of the question's user hide: `none` has no user, so nothing is hidden. */
export type UnfilteredState = 'none' | 'not-needed' | 'not-asked' | 'searched' | 'failed';

/** Diagnoses what is stored, question by question in the set's order. Nothing is searched. */
export async function* diagnoseQuestions(
  db: Database,
  evaluation: StoredEvaluation,
  configuration: EvaluationConfiguration,
  options: DiagnosisOptions & { readonly after?: number | undefined },
): AsyncGenerator<DiagnosedQuestion> {
  const searches = await readDiagnosisSearches(db, evaluation.id, hashSearch(configuration));
  const asked = streamOutcomes(db, evaluation, configuration.position, {
    after: options.after,
  });
  for await (const { position, question, outcome } of asked) {
    if (!outcome) continue;
    const diagnosed = diagnoseQuestion(question, outcome, {
      ...options,
      search: searches.get(position),
    });
    if (diagnosed) yield { position, question, ...diagnosed };
  }
}

/** Undefined for a question outside the means: what a failed search would have lost is unknown. */
export function diagnoseQuestion(
  question: Question,
  outcome: Outcome,
  { k, relevantFrom, search }: DiagnosisOptions & { readonly search?: DiagnosisSearch | undefined },
): Omit<DiagnosedQuestion, 'position' | 'question'> | undefined {
  const status = toStatus(question, outcome);
  if (status !== 'scored' && status !== 'empty') return undefined;
  const grades = toJudgments(question.judgments);
  const relevant = [...grades].flatMap(([id, grade]) => (grade >= relevantFrom ? [id] : []));
  const lost = findLostDocuments(toFunnelLists(outcome, search), relevant, k).map((each) => ({
    ...each,
    grade: grades.get(each.documentId) ?? 0,
  }));
  return { relevant: relevant.length, lost, unfiltered: toState(question, lost, search) };
}

function toState(
  { user }: Question,
  lost: readonly LostDocument[],
  search: DiagnosisSearch | undefined,
): UnfilteredState {
  if (user === undefined) return 'none';
  if (!lost.some(({ cause }) => cause === 'absent' || cause === 'filtered')) return 'not-needed';
  if (!search) return 'not-asked';
  return search.documentIds === null ? 'failed' : 'searched';
}
