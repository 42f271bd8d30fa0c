import { z } from 'zod';

import { tryParseJson } from '../../try-parse-json.ts';

/** What opens AI Core: the content of a service key, or the credentials of a binding. */
export type ServiceKey = z.infer<typeof ServiceKey>;

const Url = z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** Fields that are not named here are kept: certificates are read by the code that fetches tokens. */
export const ServiceKey = z
  .looseObject({
    clientid: z.string().min(1),
    clientsecret: z.string().min(1).optional(),
    certificate: z.string().min(1).optional(),
    url: Url,
    serviceurls: z.looseObject({ AI_API_URL: Url }),
  })
  .refine((key) => key.clientsecret !== undefined || key.certificate !== undefined, {
    message: 'has neither "clientsecret" nor "certificate"',
  });

/** Throws a TypeError that names what is wrong and repeats nothing of the text, which is a secret. */
export function parseServiceKey(text: string): ServiceKey {
  const key = tryParseJson(text);
  if (key === undefined) throw new TypeError('is not JSON');
  return toServiceKey(key);
}

/** Throws as `parseServiceKey`. */
export function toServiceKey(key: unknown): ServiceKey {
  const parsed = ServiceKey.safeParse(key);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = issue?.code === 'custom' ? issue.message : 'is missing or has the wrong type';
  const place = issue?.path.join('.') ?? '';
  throw new TypeError(`is not a service key of AI Core: ${place === '' ? 'it' : place} ${problem}`);
}
