import { AlertEvent } from '../../model/alert-event.ts';
import { findAlertTarget, type AlertTarget } from '../../storage/monitoring/alert-targets.ts';
import type { Database } from '../../storage/database/database.ts';
import { parsePayload, type OutboxMessage } from '../../storage/monitoring/outbox.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import type { Deliver } from '../outbox-sender.ts';
import { createTokenSource } from './client-token.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Integrations } from './integrations.ts';
import { sendExpectingSuccess } from './send-text.ts';
import { sendWithToken } from './send-with-token.ts';
import { signBody } from './sign-body.ts';
import { createGuardedLookup, findUrlIssue } from './target-guard.ts';
import { toNotification } from './to-notification.ts';

export interface AlertDeliveryOptions {
  readonly db: Database;
  readonly integrations: Integrations;
  readonly now: () => string;
  /** The system's when absent. */
  readonly lookup?: Parameters<typeof createGuardedLookup>[1];
}

type Webhook = Extract<AlertTarget, { type: 'webhook' }>;

/** Brings an alert to its target as it is stored now, by webhook or SAP Alert Notification. */
export function createAlertDelivery(options: AlertDeliveryOptions): Deliver {
  const { db, integrations, now } = options;
  const notify = createNotifier(integrations, now);
  return async (message, signal) => {
    const own = scopeToTenant(db, message.tenant);
    const stored = await findAlertTarget(own, message.target ?? '');
    if (!stored) throw new DeliveryError('The alert target was deleted', { isFinal: true });
    const { target } = stored;
    if (target.type === 'webhook') return callWebhook(options, message, { target, signal });
    return notify(message, signal);
  };
}

async function callWebhook(
  { integrations: { targetPolicy }, now, lookup }: AlertDeliveryOptions,
  message: OutboxMessage,
  { target, signal }: { readonly target: Webhook; readonly signal: AbortSignal },
): Promise<void> {
  const issue = findUrlIssue(target.url, targetPolicy);
  if (issue !== undefined) throw new DeliveryError(`The target's URL ${issue}`);
  const event = parsePayload(AlertEvent, message);
  const body = JSON.stringify({ id: message.id, ...event });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'grounding-eval',
    'x-grounding-eval-event': event.type,
    'x-grounding-eval-delivery': message.id,
    'x-grounding-eval-signature': signBody(body, { secret: target.secret, at: now() }),
  };
  const guarded = createGuardedLookup(targetPolicy, lookup);
  const url = new URL(target.url);
  await sendExpectingSuccess({ method: 'POST', url, headers, body, signal, lookup: guarded });
}

function createNotifier(
  { alertNotification: binding, application }: Integrations,
  now: () => string,
): Deliver {
  const tokens = binding && createTokenSource(binding.credentials, now);
  return async (message, signal) => {
    if (!binding || !tokens) throw new DeliveryError('SAP Alert Notification is not bound');
    const body = JSON.stringify(toNotification(parsePayload(AlertEvent, message), application));
    const url = new URL('/cf/producer/v1/resource-events', binding.url);
    await sendWithToken(tokens, { method: 'POST', url, body, signal });
  };
}
