import type { Readable } from 'node:stream';

import { readVerdicts } from '../../interchange/read-verdicts.ts';
import { maxJudgments, NewJudgment } from '../../schemas/judgment.ts';
import { createIssueCollector } from './entry-lines.ts';
import { readTexts } from './line-body.ts';
import { toInputErrors } from './validation-issues.ts';

interface PlacedJudgment extends NewJudgment {
  readonly line: number;
}

/** The graded rows of a CSV. Throws one error that names all lines wrong, or that no row has a grade. */
export async function readVerdictBody(
  body: Readable,
  { maxBytes, encoding }: { readonly maxBytes: number; readonly encoding: string | undefined },
): Promise<readonly PlacedJudgment[]> {
  const issues = createIssueCollector();
  const judgments: PlacedJudgment[] = [];
  let index = 0;
  for await (const reading of readVerdicts(readTexts(body, maxBytes, encoding))) {
    const pointer = `/body/judgments/${index}`;
    index += 1;
    if ('issue' in reading) {
      issues.add([{ ...reading.issue, pointer: '/body' }]);
    } else if (index > maxJudgments) {
      issues.add([{ pointer: '/body', detail: `has more than ${maxJudgments} graded rows` }]);
      break;
    } else {
      const { value, line = 0 } = reading;
      const { success, data, error } = NewJudgment.safeParse(value);
      if (success) judgments.push({ ...data, line });
      else {
        const found = error.issues.flatMap((issue) => toInputErrors(issue, pointer));
        issues.add(found.map((one) => ({ ...one, line })));
      }
    }
    if (issues.isFull()) break;
  }
  issues.end(judgments.length);
  return judgments;
}
