import { z } from 'zod';

import { Grade, Id, Name, nonEmptyText, pageOf, text, Timestamp, Warning } from './vocabulary.ts';

/** The most that one request adds. */
export const maxJudgments = 10_000;

export const NewJudgment = z.strictObject({
  questionId: Id,
  documentId: Id,
  grade: Grade,
  documentVersion: text(256).optional(),
  note: text(4000).optional(),
});
export type NewJudgment = z.infer<typeof NewJudgment>;

const judge = nonEmptyText(256).optional();
const judgeRule =
  'Required without authentication; must then have no control characters and no prefix `schedule/`, `service/` or `client/`. With authentication the judge is the sender of the request, and any other name is refused.';

export const JudgmentsInput = z
  .strictObject({
    judge: judge.meta({ description: judgeRule }),
    judgments: z.array(NewJudgment).min(1).max(maxJudgments),
  })
  .meta({
    id: 'JudgmentsInput',
    example: {
      judge: 'm.keller',
      judgments: [{ questionId: 'q06', documentId: 'D07', grade: 2, note: 'names the variance' }],
    },
  });

/** Goes with CSV, which has no place for it. */
export const JudgmentsQuery = z.strictObject({
  judge: judge.meta({ description: `Goes with CSV. ${judgeRule}` }),
  encoding: z.string().max(40).optional().meta({
    description:
      'Goes with CSV: its encoding, such as windows-1252, if it is not UTF-8 and has no byte order mark.',
  }),
});
export type JudgmentsInput = z.infer<typeof JudgmentsInput>;

export const JudgmentsSaved = z
  .object({
    name: Name,
    version: z.int().min(1),
    added: z.int().min(0),
    changed: z.int().min(0),
    unchanged: z.int().min(0),
    warnings: z
      .array(Warning)
      .meta({ description: 'About judged questions without a relevant document.' }),
  })
  .meta({ id: 'JudgmentsSaved' });

const JudgmentDetail = z
  .object({
    questionId: z.string(),
    documentId: z.string(),
    grade: Grade,
    judge: z.string().nullable().meta({
      description:
        'The judge, or the user who imported the file; null: imported without authentication.',
    }),
    source: z.enum(['judge', 'file']).meta({
      description:
        'judge: posted by a judge, and kept by imports. file: imported with a question set or with qrels.',
    }),
    judgedAt: Timestamp,
    documentVersion: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Judgment' });

export const JudgmentPage = pageOf(JudgmentDetail, 'JudgmentPage');
