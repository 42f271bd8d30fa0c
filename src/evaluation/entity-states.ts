import type { QuestionSet } from '../storage/question-sets.ts';
import { hashJson } from './hash-content.ts';

/** Names the state that a set, or one of its versions, is in. Another version is another state. */
export function stateOfQuestionSet({
  contentHash,
  version,
  description,
  createdAt,
}: Pick<QuestionSet, 'contentHash' | 'version' | 'description' | 'createdAt'>): string {
  return hashJson(['question-set', contentHash, version, description, createdAt]);
}
