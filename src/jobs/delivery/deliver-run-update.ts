import { JobRunUpdate } from '../../model/job-run-update.ts';
import { parsePayload } from '../../storage/monitoring/outbox.ts';
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
  return async (stored, signal) => {
    if (!binding || !tokens) throw new DeliveryError('No Job Scheduling Service is bound');
    const { jobId, scheduleId, runId, success, message } = parsePayload(JobRunUpdate, stored);
    const path = `/scheduler/jobs/${jobId}/schedules/${scheduleId}/runs/${runId}`;
    const body = JSON.stringify({ success, message });
    await sendWithToken(tokens, { method: 'PUT', url: new URL(path, binding.url), body, signal });
  };
}
