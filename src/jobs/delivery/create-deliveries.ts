import type { OutboxSenderContext } from '../outbox-sender.ts';
import { createAlertDelivery, type AlertDeliveryOptions } from './deliver-alert.ts';
import { createRunUpdateDelivery } from './deliver-run-update.ts';

/** The ways out for each kind of message. */
export function createDeliveries(options: AlertDeliveryOptions): OutboxSenderContext['deliver'] {
  const { integrations, now } = options;
  return {
    alert: createAlertDelivery(options),
    'job-run': createRunUpdateDelivery(integrations.jobScheduler, now),
  };
}
