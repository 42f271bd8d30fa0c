import { z } from 'zod';

import type { ServiceBinding } from '../jobs/delivery/service-binding.ts';
import { toServiceKey, type ServiceKey } from '../retrieval/ai-core/service-key.ts';
import { tryParseJson } from '../try-parse-json.ts';

const Url = z.url({ protocol: /^https?$/ });
const Secret = z.string().min(1);

const JobSchedulerCredentials = z.object({
  url: Url,
  uaa: z.object({ url: Url, clientid: Secret, clientsecret: Secret }),
});

const AlertNotificationCredentials = z.object({
  url: Url,
  oauth_url: Url,
  client_id: Secret,
  client_secret: Secret,
});

/** The service key of the bound AI Core, if one is bound. Throws as `findJobScheduler`. */
export function findAiCore(services: string | undefined): ServiceKey | undefined {
  const bound = findBinding(services, 'aicore');
  return bound && toServiceKey(bound.credentials);
}

/** The Job Scheduling Service of VCAP_SERVICES, if it is bound. Throws a TypeError that repeats no value. */
export function findJobScheduler(services: string | undefined): ServiceBinding | undefined {
  const found = findCredentials(services, 'jobscheduler', JobSchedulerCredentials);
  if (!found) return undefined;
  const { url, uaa } = found;
  const tokenUrl = new URL('/oauth/token', uaa.url).href;
  return {
    url,
    credentials: { tokenUrl, clientId: uaa.clientid, clientSecret: uaa.clientsecret },
  };
}

/** SAP Alert Notification of VCAP_SERVICES, if it is bound. Throws as `findJobScheduler`. */
export function findAlertNotification(services: string | undefined): ServiceBinding | undefined {
  const found = findCredentials(services, 'alert-notification', AlertNotificationCredentials);
  if (!found) return undefined;
  const { url, oauth_url: tokenUrl, client_id: clientId, client_secret: clientSecret } = found;
  return { url, credentials: { tokenUrl, clientId, clientSecret } };
}

/** The credentials of the first service with that label. Throws as `findJobScheduler`. */
export function findCredentials<Schema extends z.ZodType>(
  services: string | undefined,
  label: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  const bound = findBinding(services, label);
  if (!bound) return undefined;
  const parsed = schema.safeParse(bound.credentials);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new TypeError(`the binding of ${label}: ${place} is missing or has the wrong type`);
}

function findBinding(services = '', label: string): z.infer<typeof Binding> | undefined {
  if (services === '') return undefined;
  const bindings = tryParseJson(services);
  if (bindings === undefined) throw new TypeError('is not JSON');
  return Bindings.safeParse(bindings).data?.[label]?.[0];
}

const Binding = z.object({ credentials: z.unknown() });

const Bindings = z.record(z.string(), z.array(Binding).catch([]));
