import { decodeId } from '../../ir/fast/id-arena.ts';
import type { InternedQrels } from '../../ir/fast/interned-qrels.ts';
import { scoreRun, type MeasureValues } from '../../ir/fast/score-run.ts';
import { TrecLineError } from '../../ir/trec/trec-line-error.ts';
import { CommandError } from '../exit-codes.ts';
import type { InputFile } from '../files/input-file.ts';
import { readTrecQrels, readTrecRun } from '../files/read-trec.ts';
import type { ScoredRun, ScoreRequest } from './scored-run.ts';

/** Scores TREC files in columns, without a database. */
export async function scoreTrec(
  qrelsFile: InputFile,
  runFiles: readonly InputFile[],
  { names, measures, perQuestion }: ScoreRequest,
): Promise<readonly ScoredRun[]> {
  const qrels = await readTrecQrels(qrelsFile);
  const scored: ScoredRun[] = [];
  for (const [index, file] of runFiles.entries()) {
    const run = await readTrecRun(file, qrels);
    const values = inFile(file.name, () => scoreRun(qrels, run, measures));
    scored.push({
      run: names[index] ?? file.name,
      questions: qrels.questions.ids.count,
      measures: Object.fromEntries(values.map(({ name, mean }) => [name, mean ?? null])),
      ...(perQuestion && { perQuestion: listQuestions(qrels, values) }),
    });
  }
  return scored;
}

function listQuestions(qrels: InternedQrels, values: readonly MeasureValues[]) {
  const { ids } = qrels.questions;
  return Array.from({ length: ids.count }, (_, question) => ({
    id: decodeId(ids, question),
    measures: Object.fromEntries(
      values.map(({ name, values: ofQuestions }) => [name, ofQuestions[question] ?? Number.NaN]),
    ),
  }));
}

/** A duplicate document is found when a ranking is sorted. */
function inFile<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TrecLineError)) throw cause;
    throw new CommandError(`${name}: ${cause.message}`, undefined, cause);
  }
}
