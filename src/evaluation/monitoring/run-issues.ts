import { traitsOf } from '../../retrieval/registry.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { SubjectComparison } from '../gates/compare-subjects.ts';
import type { WarningCode } from '../../model/warnings.ts';
import { countAsked, type ScorecardRow } from '../../model/scorecard.ts';

/** Why a night says nothing of drift. */
export interface RunIssue {
  readonly code:
    | 'evaluation-failed'
    | 'failures'
    | 'question-set-changed'
    | 'other-questions'
    | 'configuration-changed'
    | 'input-changed'
    | 'no-judged-document-returned';
  readonly detail: string;
}

/**
 * What makes a night invalid: it did not measure what the baseline did, or not all of it. Of rankings that
 * were brought in, other ones under another name are the search's answer, and no change of what is measured.
 */
export function findRunIssues(
  { status, error }: StoredEvaluation,
  compared: SubjectComparison,
  {
    row,
    allowedFailedShare,
  }: { readonly row: ScorecardRow | undefined; readonly allowedFailedShare: number },
): readonly RunIssue[] {
  const { questionSet, selection, configuration, input } = compared;
  const isRun = [configuration.baseline, configuration.evaluation].every(
    ({ backend }) => !traitsOf(backend).isSearched,
  );
  const fields = configuration.fields.filter((field) => !(isRun && field === 'run'));
  const faults: (RunIssue | null)[] = [
    status === 'failed'
      ? { code: 'evaluation-failed', detail: error?.detail ?? 'the evaluation failed' }
      : null,
    questionSet.isSame
      ? null
      : {
          code: 'question-set-changed',
          detail: `questions or judgments differ: version ${questionSet.evaluation.version} instead of ${questionSet.baseline.version}`,
        },
    selection.isSame ? null : otherQuestions,
    fields.length === 0
      ? null
      : {
          code: 'configuration-changed',
          detail: `the configuration differs in ${fields.join(', ')}`,
        },
    isRun || input.isSame
      ? null
      : { code: 'input-changed', detail: 'the content of the searched data differs' },
    tooManyFailures(row, allowedFailedShare),
  ];
  const found = faults.filter((fault) => fault !== null);
  // Other data have other ids, and failed searches return nothing: such a cause says enough.
  return found.length > 0 ? found : nothingJudged(row);
}

export const otherQuestions: RunIssue = {
  code: 'other-questions',
  detail: 'different questions were selected (split or sample)',
};

/** Errors under which no returned document is judged, whatever the search is worth. */
const unmatchedCodes: ReadonlySet<WarningCode> = new Set([
  'questions-not-in-run',
  'no-lexicon',
  'filter-passes-nothing',
  'no-document-ids',
  'nothing-returned',
  'unmapped-chunks',
  'no-judged-document-returned',
]);

function nothingJudged(row: ScorecardRow | undefined): readonly RunIssue[] {
  const cause = row?.warnings.find(
    ({ code, severity }) => severity === 'error' && unmatchedCodes.has(code),
  );
  return cause ? [{ code: 'no-judged-document-returned', detail: cause.message }] : [];
}

function tooManyFailures(row: ScorecardRow | undefined, allowed: number): RunIssue | null {
  if (!row) return null;
  const { failed } = row.questions;
  const asked = countAsked(row);
  if (failed <= allowed * asked) return null;
  return { code: 'failures', detail: `${failed} of ${asked} searches failed` };
}
