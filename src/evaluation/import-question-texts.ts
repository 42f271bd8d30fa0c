import type { Question } from '../ir/question.ts';
import type { Database } from '../storage/database.ts';
import { streamQuestions } from '../storage/questions.ts';
import { changeQuestionSet } from './change-question-set.ts';
import { createLabelWarnings } from './label-warnings.ts';
import { saveQuestionSet, toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';

export interface QuestionTextEntry {
  readonly id: string;
  readonly text: string;
}

/**
 * Makes a set have exactly these questions. A file of texts says nothing of judgments: a question that is
 * there keeps its judgments and attributes, a new one has none until qrels come.
 */
export async function importQuestionTexts(
  db: Database,
  name: string,
  { texts, now }: { readonly texts: readonly QuestionTextEntry[]; readonly now: string },
): Promise<SavedQuestionSet> {
  return changeQuestionSet(db, name, async (trx, set) => {
    const before = new Map<string, Question>();
    if (set.isVisible) {
      const selection = { questionSet: name, version: set.latestVersion };
      for await (const { question } of streamQuestions(trx, selection)) {
        before.set(question.id, question);
      }
    }
    const questions = texts.map(({ id, text }) => ({ ...(before.get(id) ?? createNew(id)), text }));
    const records = questions.map(toQuestionRecord);
    const saved = await saveQuestionSet(trx, set, { questions: records, now });
    const labels = createLabelWarnings();
    questions.forEach(labels.add);
    return { ...saved, warnings: labels.toList() };
  });
}

function createNew(id: string): Question {
  return { id, text: id, tags: [], answerable: true, forbidden: [], judgments: [] };
}
