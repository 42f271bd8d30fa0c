import type { ComparisonReader } from './comparison-reader.ts';
import { toWarning } from '../../model/warnings.ts';
import type { ComparisonWarning } from './comparison-warnings.ts';
import { comparisonSides, type RunPair } from './read-run.ts';

/** Where an evaluation ended before a side had been asked every question, as when it was cancelled. */
export async function warnOfUnsearched(
  reader: ComparisonReader,
  pair: RunPair,
): Promise<readonly ComparisonWarning[]> {
  const warnings: ComparisonWarning[] = [];
  for (const side of comparisonSides) {
    const { evaluation, configuration } = pair[side];
    const { asked, status } = await reader.findScope(pair[side]);
    const questions = asked - (await reader.readValues(pair[side])).size;
    if (questions === 0) continue;
    const message = `Evaluation '${evaluation}' ended with status ${status}: ${questions} of ${asked} questions were not searched with ${configuration} and are not compared`;
    const text = { code: 'unsearched-questions', message } as const;
    warnings.push({ ...toWarning(text, questions), side });
  }
  return warnings;
}
