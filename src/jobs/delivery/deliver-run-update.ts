import type { JobRunUpdate } from '../../evaluation/monitoring/report-ends.ts';
import type { Deliver } from '../outbox-sender.ts';
import { createTokenSource } from './client-token.ts';
import { DeliveryError } from './delivery-error.ts';
import { sendWithToken } from './send-with-token.ts';
import type { ServiceBinding } from './service-binding.ts';

/** Tells the Job Scheduling Service how a run ended. The host is always the binding's. */
export function createRunUpdateDelivery(
  binding: ServiceBinding | undefined,
  now: () => string,
): Deliver {
  const tokens = binding && createTokenSource(binding.credentials, now);
  return async ({ payload }, signal) => {
    if (!binding || !tokens) throw new DeliveryError('No Job Scheduling Service is bound');
    const { jobId, scheduleId, runId, success, message } = JSON.parse(payload) as JobRunUpdate;
    const path = `/scheduler/jobs/${jobId}/schedules/${scheduleId}/runs/${runId}`;
    const body = JSON.stringify({ success, message });
    await sendWithToken(tokens, { method: 'PUT', url: new URL(path, binding.url), body, signal });
  };
}
