import { createNearMissFinder, quoteId } from '../../ir/near-ids.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Question } from '../../model/question.ts';
import { nameSome, toWarning, warnIf, type Warning } from '../../model/warnings.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { countRankingsOutside, listRankedQuestions } from '../../storage/catalog/run-questions.ts';
import { findRunNotes } from '../../storage/catalog/run-notes.ts';
import type { Database } from '../../storage/database/database.ts';
import type { SearchInput } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { listRunWarnings } from '../warnings/list-run-warnings.ts';

/** Asks what was searched, once the questions are known, for the causes that no ranking shows. */
export interface DataCheck {
  readonly add: (question: Question, outcome: Outcome) => void;
  readonly toList: () => Promise<readonly Warning[]>;
}

interface SearchedData {
  /** Undefined when what was searched is not there any more, or is another. */
  readonly retriever: Retriever | undefined;
  readonly input: SearchInput | null;
  readonly evaluation: Pick<StoredEvaluation, 'questionSet' | 'version'>;
}

export function createDataCheck(
  db: Database,
  { retriever, input, evaluation }: SearchedData,
): DataCheck {
  const users = new Map<string | undefined, { readonly isEmpty: boolean }>();
  const emptyIds: string[] = [];
  let questions = 0;
  const run = retriever && input?.kind === 'run' ? input.name : undefined;
  return {
    add({ id, user }, { hits }) {
      if (!hits) return;
      questions += 1;
      const isEmpty = hits.length === 0;
      if (isEmpty && run !== undefined) emptyIds.push(id);
      users.set(user, { isEmpty: isEmpty && (users.get(user)?.isEmpty ?? true) });
    },
    async toList() {
      const empty = [...users].filter(([, { isEmpty }]) => isEmpty).map(([user]) => user);
      const found = (await retriever?.findDataWarnings?.({ empty })) ?? [];
      const ofData = found.map((warning) => toWarning(warning, questions));
      if (run === undefined) return ofData;
      const ofRun = listRunWarnings(await findRunNotes(db, run));
      return [
        ...(await matchQuestions(db, { run, emptyIds, questions, ...evaluation })),
        ...ofData,
        ...ofRun,
      ];
    },
  };
}

interface MatchedQuestions extends Pick<StoredEvaluation, 'questionSet' | 'version'> {
  readonly run: string;
  /** Those that were looked up and have no hits. */
  readonly emptyIds: readonly string[];
  /** All that were looked up. */
  readonly questions: number;
}

/** Questions of the set that the run lacks, which is no empty answer, and questions of the run that the set lacks. */
async function matchQuestions(
  db: Database,
  { run, emptyIds, questions, ...set }: MatchedQuestions,
): Promise<readonly Warning[]> {
  const answered = await listRankedQuestions(db, run, emptyIds);
  const missing = emptyIds.filter((id) => !answered.has(id));
  const others = await countRankingsOutside(db, run, set);
  const isAll = missing.length === questions;
  const near = explainNear(missing, others.samples);
  return [
    ...warnIf(missing.length, {
      code: 'questions-not-in-run',
      severity: isAll ? 'error' : undefined,
      message: `${missing.length} of ${questions} questions are not in run '${run}' and score 0: ${nameSome(missing.map(quoteId))}${near}`,
    }),
    ...warnIf(others.count, {
      code: 'questions-not-in-set',
      severity: missing.length > 0 ? 'warning' : undefined,
      message: `${others.count} questions of run '${run}' are not in question set '${set.questionSet}' and are ignored: ${nameSome(others.samples.map(quoteId))}`,
    }),
  ];
}

function explainNear(missing: readonly string[], others: readonly string[]): string {
  const finder = createNearMissFinder(missing);
  const pairs = others.flatMap((id) => finder.findLoosely(id) ?? []);
  if (pairs.length === 0) return '';
  const named = pairs.map(({ found, wanted }) => `${quoteId(found)} for ${quoteId(wanted)}`);
  return `. The ids of questions differ: the run has ${nameSome(named)}`;
}
