import { completionError } from './completion-answer.ts';
import type { Fault } from './fault.ts';
import { flatError } from './sap-errors.ts';

/** The failures that an AI Core client meets, ready to be used in a rule. */
export const faults = {
  /** 429. `retryAfter` is the header's value: seconds or an HTTP date; without it the header is absent. */
  tooManyRequests(retryAfter?: number | string): Fault {
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    const body = flatError(429, 'The limit of this minute is used up.');
    return { type: 'answer', status: 429, headers, body };
  },
  internalError(): Fault {
    const body = flatError(500, 'The grounding service broke off with an internal error.');
    return { type: 'answer', status: 500, body };
  },
  /** As a load balancer answers when nothing stands behind it. */
  badGateway(): Fault {
    return { type: 'answer', status: 502, body: '<html><body>502 Bad Gateway</body></html>' };
  },
  /** An error of one of the orchestration service's modules, as `Input Filter` or `LLM Module`. */
  moduleError(status: number, location: string, message: string): Fault {
    return { type: 'answer', status, body: completionError(status, location, message) };
  },
  expiredToken(): Fault {
    return { type: 'answer', status: 401, body: expiredTokenError };
  },
  /** As a gateway answers that shows a page instead of passing the request on. */
  html(status = 200): Fault {
    return { type: 'answer', status, body: '<html><body>Please log on.</body></html>' };
  },
  emptyBody(): Fault {
    return { type: 'answer', status: 200 };
  },
  brokenJson(): Fault {
    const headers = { 'content-type': 'application/json' };
    return { type: 'answer', status: 200, headers, body: '{"results": [{"filterId": "no' };
  },
  slow(delayMs: number): Fault {
    return { type: 'slow', delayMs };
  },
  truncated(): Fault {
    return { type: 'truncated' };
  },
  reset(): Fault {
    return { type: 'reset' };
  },
  hang(): Fault {
    return { type: 'hang' };
  },
} as const;

export const expiredTokenError = {
  error: 'invalid_token',
  error_description: 'The token is past its time.',
};
