import { z } from 'zod';

import { parseServiceKey, type ServiceKey } from '../retrieval/ai-core/service-key.ts';

/** Every variable that is read, with its default. `.env.example` lists the same. */
export const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must start with sqlite: or postgres://')
    .refine((url) => !leavesServerUnchecked(url), 'must not accept any certificate')
    .optional(),
  ALLOW_EPHEMERAL_DATABASE: z.enum(['true', 'false']).default('false'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  AUTH_MODE: z.enum(['none', 'xsuaa']).optional(),
  NODE_ENV: z.string().optional(),
  MAX_EVALUATIONS: z.coerce.number().int().min(1).max(1_000_000).default(100),
  MAX_QUESTIONS: z.coerce.number().int().min(1).max(1_000_000_000).default(1_000_000),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  BODY_LIMIT_MB: z.coerce.number().min(0.001).max(1024).default(64),
  IMPORT_MEMORY_MB: z.coerce.number().int().min(1).max(65_536).default(256),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(600),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).optional(),
  COMPUTATIONS_AT_ONCE: z.coerce.number().int().min(1).max(64).optional(),
  COMPUTATIONS_WAITING: z.coerce.number().int().min(0).max(10_000).optional(),
  SEARCH_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(8),
  SEARCH_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(30_000),
  SEARCH_ATTEMPTS: z.coerce.number().int().min(1).max(10).default(4),
  HTTP_SEARCH_ENDPOINTS: z.string().optional(),
  SQL_SEARCH_SOURCES: z.string().optional(),
  AICORE_SERVICE_KEY: z.string().transform(toServiceKey).optional(),
  AICORE_DESTINATIONS: z.string().default('AICORE').transform(toNames),
  AICORE_RESOURCE_GROUPS: z.string().default('*').transform(toNames),
  AICORE_MODELS: z.string().default('*').transform(toNames),
  AICORE_DEPLOYMENTS: z.string().default('*').transform(toNames),
  CROSS_ENCODER_ROOT: z.string().optional(),
  STORE_SNIPPETS: z.enum(['true', 'false']).default('true'),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(8000),
  RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  ALERT_HOSTS: z.string().default('').transform(toHosts),
  ALERT_ALLOW_LOOPBACK: z.enum(['true', 'false']).default('false'),
  OUTBOX_MAX_DAYS: z.coerce.number().min(0.01).max(30).default(3),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().default('grounding-eval'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
});

/** The variables of a process, as it has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that are set, checked, with defaults for the others. */
export type Settings = z.infer<typeof Environment>;

/** `sslmode=no-verify`, and what `uselibpqcompat` makes of the other modes. */
function leavesServerUnchecked(url: string): boolean {
  return /[?&](sslmode=no-verify|uselibpqcompat=)/.test(url);
}

function toServiceKey(text: string, context: z.RefinementCtx): ServiceKey {
  try {
    return parseServiceKey(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
}

function toNames(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

function toHosts(text: string, context: z.RefinementCtx): readonly string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  const named = hosts.filter((host) => host !== '');
  if (named.every((host) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(host))) return named;
  const message = 'must be host names, or *. and a domain, separated by commas';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
