import { z } from 'zod';

import { alertEventTypes } from '../model/alert-event.ts';
import type { AlertTarget, StoredAlertTarget } from '../storage/monitoring/alert-targets.ts';
import type { DeliveryCounts } from '../storage/monitoring/outbox.ts';
import { Name, pageOf, text, Timestamp } from './vocabulary.ts';

const EventType = z.enum(alertEventTypes);
const Events = z
  .array(EventType)
  .min(1)
  .optional()
  .meta({ description: 'The events to send to this target. Default: all.' });

export const AlertTargetInput = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('webhook'),
        url: text(2000).meta({ example: 'https://hooks.example.com/quality' }),
        secret: text(200)
          .min(16, 'must have at least 16 characters')
          .meta({ description: 'Signs every request. Never returned.' }),
        events: Events,
      })
      .meta({ title: 'webhook' }),
    z
      .strictObject({ type: z.literal('alert-notification'), events: Events })
      .meta({ title: 'alert-notification' }),
  ])
  .meta({ id: 'AlertTargetInput', example: { type: 'alert-notification' } });

export const AlertTargetDetail = z
  .object({
    name: Name,
    type: z.enum(['webhook', 'alert-notification']),
    origin: z.string().nullable().meta({
      description: 'Scheme and host of a webhook. The path may be secret and is not returned.',
    }),
    events: z.array(EventType),
    deliveries: z.object({
      waiting: z.int(),
      sent: z.int(),
      dead: z.int().meta({ description: 'Deliveries that were abandoned.' }),
      lastError: z.string().nullable(),
    }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'AlertTarget' });
export const AlertTargetPage = pageOf(AlertTargetDetail, 'AlertTargetPage');

export function toAlertTargetDetail(
  { name, target, updatedAt }: StoredAlertTarget,
  deliveries: DeliveryCounts,
): z.infer<typeof AlertTargetDetail> {
  const { type, events = alertEventTypes } = target;
  return { name, type, origin: originOf(target), events: [...events], deliveries, updatedAt };
}

function originOf(target: AlertTarget): string | null {
  return target.type === 'webhook' ? new URL(target.url).origin : null;
}
