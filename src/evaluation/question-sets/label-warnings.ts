import { findLabelState, type Question } from '../../model/question.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';

export interface LabelWarnings {
  readonly add: (question: Pick<Question, 'id' | 'answerable' | 'judgments'>) => void;
  readonly toList: () => readonly Warning[];
}

/** Warnings about the questions of a set that no document is relevant to. Keeps the ids of those only. */
export function createLabelWarnings(): LabelWarnings {
  const judged: string[] = [];
  const unlabelled: string[] = [];
  return {
    add(question) {
      const state = findLabelState(question);
      if (state === 'judged') judged.push(question.id);
      if (state === 'unlabelled') unlabelled.push(question.id);
    },
    toList: () => [
      ...warnIf(judged.length, {
        code: 'no-relevant-document',
        message: `Only grades of 0 or less for ${nameSome(judged)}: these questions score 0 and count towards the means`,
      }),
      ...warnIf(unlabelled.length, {
        code: 'unlabelled-questions',
        message: `No judgments yet for ${nameSome(unlabelled)}: these questions are searched and pooled, but excluded from the means until they have a judgment`,
      }),
    ],
  };
}
