import { z } from 'zod';

import { maxJudgmentsPerQuestion } from '../evaluation/question-sets/check-qrels.ts';
import type { QuestionEntry } from '../evaluation/question-sets/stage-questions.ts';
import type { Question } from '../model/question.ts';
import { JudgmentCountFields } from './import.ts';
import { userName } from './user-name.ts';
import {
  Author,
  Grade,
  Id,
  Name,
  nonEmptyText,
  pageOf,
  patientList,
  text,
  Timestamp,
  Warning,
} from './vocabulary.ts';

const maxQuestions = 250_000;
const maxTextLength = 10_000;

const Label = nonEmptyText(128);

const ConversationTurn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  text: nonEmptyText(maxTextLength),
});

/** One labelled question, as clients write and read it. */
export const QuestionInput = z
  .strictObject({
    id: Id,
    text: nonEmptyText(maxTextLength),
    history: z.array(ConversationTurn).min(1).max(50).readonly().optional().meta({
      description: 'Earlier messages of the conversation, oldest first.',
    }),
    kind: Label.optional(),
    process: Label.optional(),
    language: Label.optional(),
    user: userName(128).optional().meta({ description: 'A key of `users` of a configuration.' }),
    split: z.enum(['tuning', 'held-out']).optional(),
    tags: z.array(Label).max(50).optional(),
    relevant: z
      .record(Id, Grade)
      .refine(
        (relevant) => Object.keys(relevant).length <= maxJudgmentsPerQuestion,
        `must not judge more than ${maxJudgmentsPerQuestion} documents`,
      )
      .optional()
      .meta({
        description:
          'Grade by document id. Documents not listed are unjudged. Absent or empty: the question is unlabelled, and excluded from the means until it has a judgment.',
      }),
    answerable: z
      .boolean()
      .optional()
      .meta({ description: 'false: no document answers the question.' }),
    forbidden: z
      .array(Id)
      .max(10_000)
      .optional()
      .meta({ description: 'Documents that this user must never see.' }),
  })
  .superRefine((question, context) => {
    for (const issue of findContradictions(question)) {
      context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
    }
  })
  .meta({
    id: 'Question',
    example: {
      id: 'q06',
      text: 'supplier sent less than it billed',
      kind: 'paraphrase',
      process: 'procure-to-pay',
      language: 'en',
      split: 'held-out',
      relevant: { D07: 2, D06: 1, D03: 0 },
    },
  });
export type QuestionInput = z.infer<typeof QuestionInput>;

export const QuestionSetInput = z
  .strictObject({
    description: text(2000).optional(),
    questions: patientList(QuestionInput, { most: maxQuestions, component: 'Question' }),
  })
  .meta({ id: 'QuestionSetInput' });
export type QuestionSetInput = z.infer<typeof QuestionSetInput>;

const VersionFields = {
  version: z.int().min(1),
  contentHash: z.string().meta({ description: 'SHA-256 of questions and grades.' }),
  questions: z.int().min(0),
  judgments: z.int().min(0),
};

export const QuestionSetSaved = z
  .object({ name: Name, ...VersionFields, ...JudgmentCountFields, warnings: z.array(Warning) })
  .meta({
    id: 'QuestionSetSaved',
    example: {
      name: 'sample',
      version: 3,
      contentHash: '9f2c…',
      questions: 20,
      judgments: 31,
      added: 2,
      changed: 0,
      kept: 29,
      dropped: 0,
      warnings: [],
    },
  });

const QuestionSetSummary = z
  .object({
    name: Name,
    description: z.string().nullable(),
    ...VersionFields,
    createdAt: Timestamp,
    createdBy: Author,
  })
  .meta({ id: 'QuestionSetSummary' });

export const QuestionSetDetail = z
  .object({
    name: Name,
    description: z.string().nullable(),
    version: z.int().min(1),
    contentHash: z.string(),
    createdAt: Timestamp,
    createdBy: Author,
    questions: z.array(QuestionInput),
  })
  .meta({ id: 'QuestionSet' });

const QuestionSetVersion = z
  .object({ ...VersionFields, createdAt: Timestamp, createdBy: Author })
  .meta({ id: 'QuestionSetVersion' });

export const QuestionSetPage = pageOf(QuestionSetSummary, 'QuestionSetPage');
export const QuestionSetVersionPage = pageOf(QuestionSetVersion, 'QuestionSetVersionPage');

interface Contradiction {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type UncheckedQuestion = Pick<
  z.infer<typeof QuestionInput>,
  'relevant' | 'answerable' | 'forbidden'
>;

function findContradictions(question: UncheckedQuestion): readonly Contradiction[] {
  const grades = new Map(Object.entries(question.relevant ?? {}));
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id);
  if (question.answerable === false) {
    return relevant.map((id) => ({
      path: ['relevant', id],
      message: 'the question is marked as not answerable, so no document can be relevant',
    }));
  }
  return (question.forbidden ?? []).flatMap((id, index) =>
    (grades.get(id) ?? 0) > 0
      ? [{ path: ['forbidden', index], message: 'the document is relevant to the same question' }]
      : [],
  );
}

/** A question as it is imported, from how a client wrote it. */
export function toQuestionEntry(input: QuestionInput): QuestionEntry {
  const { relevant, tags = [], answerable = true, forbidden = [], ...fields } = input;
  return {
    question: { ...fields, tags, answerable, forbidden },
    grades: Object.entries(relevant ?? {}),
  };
}

/** A question as clients write it, in and out. */
export function fromQuestion(question: Question): QuestionInput {
  const { judgments, tags, answerable, forbidden, ...fields } = question;
  const grades = judgments.map(({ documentId, grade }) => [documentId, grade] as const);
  return {
    ...fields,
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(grades.length > 0 && { relevant: Object.fromEntries(grades) }),
    ...(!answerable && { answerable }),
    ...(forbidden.length > 0 && { forbidden: [...forbidden] }),
  };
}
