import { z } from 'zod';

import { changeActions, changedKinds } from '../storage/monitoring/audit.ts';
import { nonEmptyText, PageQuery, pageOf, Timestamp } from './vocabulary.ts';

const Hash = z.string().nullable();

const AuditEntry = z
  .object({
    id: z
      .int()
      .meta({ description: 'Unique within the tenant; later entries have higher numbers.' }),
    at: Timestamp,
    actor: z.string().nullable().meta({
      description:
        'The user or client of the token; `schedule/…` for evaluations created by a schedule; `service/retention` for expired data; null without authentication.',
    }),
    action: z.enum(changeActions),
    kind: z.enum(changedKinds),
    name: z.string().meta({ description: 'For an evaluation: its id.' }),
    before: Hash.meta({ description: 'Hash of the content before the change; null: created.' }),
    after: Hash.meta({ description: 'Hash of the content after the change; null: deleted.' }),
  })
  .meta({
    id: 'AuditEntry',
    example: {
      id: 512,
      at: '2026-11-30T06:00:00.000Z',
      actor: 'm.keller@example.com',
      action: 'judge',
      kind: 'question-set',
      name: 'invoices',
      before: '5a1f2c0e…',
      after: '9be80d47…',
    },
  });

export const AuditPage = pageOf(AuditEntry, 'AuditPage');

const Instant = z.iso.datetime({ error: 'must be a time in UTC, as 2026-11-30T06:00:00Z' });

export const AuditQuery = PageQuery.extend({
  kind: z.enum(changedKinds).optional(),
  name: nonEmptyText(64).optional().meta({ description: 'For an evaluation: its id.' }),
  actor: nonEmptyText(256).optional(),
  since: Instant.optional().meta({ description: 'Entries at or after this time.' }),
  until: Instant.optional().meta({ description: 'Entries before this time.' }),
});
