import { z } from 'zod';

import { isDataset } from '../interchange/tool-datasets.ts';
import { QuestionSetInput } from './question-set.ts';

/** Questions as JSON: in the form of the service, as a bare list, or as a dataset of another tool, which its reader checks. */
export const QuestionSetBody = z.union([
  z.preprocess((body) => (isOwnQuestionSet(body) ? body : undefined), QuestionSetInput),
  z
    .preprocess((body) => (isOwnQuestionSet(body) ? undefined : [body]), z.array(z.unknown()))
    .transform(([body]) => body)
    .meta({ override: { type: 'array', items: { $ref: '#/components/schemas/Question' } } }),
]);

/** Whether a JSON body is meant in the form of the service, not as a list, one question or a dataset. */
export function isOwnQuestionSet(body: unknown): boolean {
  if (Array.isArray(body) || isDataset(body)) return false;
  const isOne = typeof body === 'object' && body !== null && 'text' in body;
  return !isOne || 'questions' in body;
}
