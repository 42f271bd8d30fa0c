import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import type { Page } from '../../storage/database/paging.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { listQuestionResults, type QuestionResult } from './list-question-results.ts';

/** The values of every question side by side. */
export interface QuestionTable {
  /** `measure configuration`. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<QuestionRow>;
}

interface QuestionRow {
  readonly id: string;
  readonly text: string;
  /** By column; undefined: the question is outside the means of the configuration. */
  readonly values: readonly (number | undefined)[];
}

const questionsPerPage = 200;

/**
 * Tabulates one configuration, or all of an evaluation. Throws `conflict` where not every question has an
 * outcome yet, because the rows of several configurations would not be of the same questions.
 */
export async function tabulateQuestions(
  db: Database,
  evaluationId: string,
  configuration: string | undefined,
): Promise<QuestionTable> {
  const { plan, status, scorecard } = await getEvaluation(db, evaluationId);
  if (configuration !== undefined) await getConfiguration(db, evaluationId, configuration);
  if (configuration === undefined && status !== 'succeeded') {
    const message = `The evaluation is ${status}; a table of all configurations needs one that succeeded. Add ?configuration= for one of them`;
    throw new AppError('conflict', message);
  }
  const names =
    configuration === undefined
      ? (scorecard ?? []).map((row) => row.configuration)
      : [configuration];
  const measures = resolveMeasures(plan).map(({ name }) => name);
  return {
    columns: names.flatMap((name) => measures.map((measure) => `${measure} ${name}`)),
    rows: readRows(db, evaluationId, { names, measures }),
  };
}

async function* readRows(
  db: Database,
  evaluationId: string,
  { names, measures }: { readonly names: readonly string[]; readonly measures: readonly string[] },
): AsyncGenerator<QuestionRow> {
  let after: number | undefined = -1;
  while (after !== undefined) {
    const range: { limit: number; after: number } = { limit: questionsPerPage, after };
    const pages: Page<QuestionResult>[] = [];
    for (const name of names) {
      pages.push(await listQuestionResults(db, evaluationId, { configuration: name, ...range }));
    }
    const first: Page<QuestionResult> | undefined = pages[0];
    for (const [index, { id, text }] of (first?.items ?? []).entries()) {
      const results = pages.map(({ items }) => items[index]);
      if (results.some((result) => result?.id !== id)) {
        throw new Error(`question '${id}' is not at the same place in every configuration`);
      }
      const values = results.flatMap((result) => measures.map((name) => result?.measures[name]));
      yield { id, text, values };
    }
    const next: string | null = first?.nextCursor ?? null;
    after = next === null ? undefined : Number(next);
  }
}
