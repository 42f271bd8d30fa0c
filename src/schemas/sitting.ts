import { z } from 'zod';

import type { ShownSitting } from '../evaluation/question-sets/sittings.ts';
import { JudgmentsSaved } from './judgment.ts';
import { Grade, Id, Name, nonEmptyText, text, Timestamp } from './vocabulary.ts';

export const SittingParams = z.strictObject({
  name: Name,
  sitting: z
    .string()
    .regex(/^[A-Za-z0-9-]{16,64}$/, 'must be 16 to 64 letters, digits or hyphens')
    .meta({
      description: 'Chosen by the client, as a UUID.',
      example: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11',
    }),
});

export const SittingInput = z
  .strictObject({
    judge: nonEmptyText(256).optional().meta({
      description: 'As in POST …/judgments: required without authentication.',
    }),
  })
  .meta({ id: 'SittingInput', example: { judge: 'm.keller' } });

export const VerdictsInput = z
  .strictObject({
    verdicts: z
      .array(
        z.strictObject({
          questionId: Id,
          documentId: Id,
          grade: Grade.nullable().meta({ description: 'null takes an earlier verdict back.' }),
          documentVersion: text(256).optional(),
          note: text(4000).optional(),
        }),
      )
      .min(1)
      .max(1000),
  })
  .meta({
    id: 'VerdictsInput',
    example: { verdicts: [{ questionId: 'q06', documentId: 'D07', grade: 2 }] },
  });

export const VerdictsStored = z
  .object({ verdicts: z.int().min(0).meta({ description: 'How many the sitting holds now.' }) })
  .meta({ id: 'VerdictsStored' });

export const SittingDetail = z
  .object({
    id: z.string(),
    questionSet: Name,
    judge: z.string(),
    openedAt: Timestamp,
    status: z.enum(['open', 'closed']),
    verdicts: z.array(
      z.object({
        questionId: z.string(),
        documentId: z.string(),
        grade: Grade,
        documentVersion: z.string().nullable(),
        note: z.string().nullable(),
        judgedAt: Timestamp,
      }),
    ),
    saved: JudgmentsSaved.nullable().meta({
      description: 'The version that the verdicts became; null: not yet.',
    }),
  })
  .meta({ id: 'Sitting' });

export function toSittingDetail({
  sitting: { id, questionSet, judge, openedAt, closedAt },
  verdicts,
  saved,
}: ShownSitting): z.infer<typeof SittingDetail> {
  const status = closedAt === null ? 'open' : 'closed';
  const wire = saved && { ...saved, warnings: [...saved.warnings] };
  return { id, questionSet, judge, openedAt, status, verdicts: [...verdicts], saved: wire };
}
