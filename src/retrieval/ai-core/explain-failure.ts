import { answerBytes } from '../outgoing-limits.ts';
import { SearchFailure } from '../search-failure.ts';
import { findHeader, findHttpError, findRequestId, nameStatus, toHost } from './http-error.ts';
import { parseRetryAfter } from '../resilience/retry-after.ts';
import { describeBody, readSapError, redact } from './sap-error.ts';

/** Where a search went, for the words about its failure. */
export interface SearchAddress {
  readonly url: string;
  readonly resourceGroup: string;
  readonly timeoutMs: number;
  /** Texts that no message may repeat: the question, the token. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly advise?: AdviseOnStatus | undefined;
  /** What says how long a call may take; SEARCH_TIMEOUT_MS unless given. */
  readonly timeoutSetting?: string | undefined;
}

/** What to look at when a call is refused with a status; undefined: what holds for any search. */
export type AdviseOnStatus = (status: number, resourceGroup: string) => string | undefined;

/** Puts what the SDK threw into words. */
export function explainFailure(error: unknown, address: SearchAddress): SearchFailure {
  const { code, response, message: text } = findHttpError(error);
  if (text?.startsWith('maxContentLength ') === true) return explainLongAnswer(error, address);
  if (!response) return explainNoAnswer(error, code, address);
  // A body that was cut short comes as an error with a good status.
  if (response.status < 300) return explainNoAnswer(error, code ?? 'ERR_BAD_RESPONSE', address);
  const { status, data, headers } = response;
  const sap = readSapError(data);
  const advice = address.advise?.(status, address.resourceGroup) ?? adviseOnStatus(status, address);
  const said = sap.message === undefined ? describeBody(data) : quote(sap.message, address);
  return new SearchFailure('status', `${advice}${said} (HTTP ${nameStatus(status)})`, {
    status,
    requestId: sap.requestId ?? findRequestId(headers),
    location: sap.location,
    retryAfterMs: parseRetryAfter(findHeader(headers, 'retry-after'), address.now),
    cause: error,
  });
}

export interface ForeignAnswer {
  readonly body: unknown;
  readonly headers: unknown;
  readonly address: SearchAddress;
}

/** A success whose body is not what was asked for. */
export function explainForeignAnswer(
  { body, headers, address }: ForeignAnswer,
  expected = 'search results',
): SearchFailure {
  const sap = readSapError(body);
  const said = sap.message === undefined ? describeBody(body) : quote(sap.message, address);
  const message = `AI Core responded with success, but not with ${expected}. Check that the URL of the destination or service key is the AI API URL and not that of a gateway or sign-in page.${said}`;
  return new SearchFailure('answer', message, {
    requestId: sap.requestId ?? findRequestId(headers),
  });
}

/** Parts of the search that failed inside a success. */
export function explainFailedFilters(
  failures: readonly { readonly filterId: string | null; readonly message: string }[],
  requestId: string | undefined,
  address: SearchAddress,
): SearchFailure {
  const named = failures.map(
    ({ filterId, message }) => `'${filterId ?? '(unnamed)'}': ${quoteOnly(message, address)}`,
  );
  const message = `${failures.length === 1 ? 'A filter or operation' : `${failures.length} filters or operations`} failed inside the response, so the ranking would be incomplete. Check the metadata keys of the filter, and whether its repositories exist in resource group '${address.resourceGroup}'. ${named.join('; ')}`;
  return new SearchFailure('filter', message, { requestId });
}

const labelAdvice =
  'the resource group needs the label "ext.ai.sap.com/document-grounding" with the value "true"';

function adviseOnStatus(status: number, { resourceGroup, url }: SearchAddress): string {
  const group = `resource group '${resourceGroup}'`;
  const host = toHost(url);
  if (status === 400 || status === 422) {
    return `AI Core rejected this search. Compare filters and post-processing with those used in production: a metadata key, a count or a combination is not supported.`;
  }
  if (status === 401) {
    return `AI Core at ${host} rejected the token, even a fresh one. The credentials do not belong to this AI API URL: both must come from the same service key or destination.`;
  }
  if (status === 403) {
    return `AI Core does not allow this search. Check that ${group} exists for these credentials, and that grounding is enabled: ${labelAdvice}.`;
  }
  if (status === 404) {
    return `AI Core did not find the resource. Check the name of ${group}, that ${host} is the AI API URL, that the data repositories exist, and that ${labelAdvice}.`;
  }
  if (status === 429) {
    return `AI Core limits the rate of ${group}, also after retries. Lower SEARCH_CONCURRENCY, or run at a time with less load.`;
  }
  if (status < 400) {
    return `${host} responded with a redirect, which is not followed. Check that the URL of the destination or service key is the AI API URL itself.`;
  }
  if (status >= 500) {
    return `AI Core failed, also after retries. If the problem persists, open a ticket with the request id.`;
  }
  return `AI Core refused the search.`;
}

function explainLongAnswer(cause: unknown, { url }: SearchAddress): SearchFailure {
  const mebibytes = answerBytes.search / 2 ** 20;
  const message = `${toHost(url)} sent more than the limit of ${mebibytes} MiB. Request fewer chunks, and check that the URL is the AI API URL`;
  return new SearchFailure('answer', message, { cause });
}

function explainNoAnswer(
  error: unknown,
  code: string | undefined,
  { url, timeoutMs, timeoutSetting = 'SEARCH_TIMEOUT_MS' }: SearchAddress,
): SearchFailure {
  const host = toHost(url);
  const named = code === undefined ? '' : ` (${code})`;
  if (code === 'ERR_CANCELED' || code === 'ETIMEDOUT') {
    const message = `AI Core at ${host} did not respond within ${timeoutMs} ms, also after retries${named}. Raise ${timeoutSetting} if such calls are known to take longer`;
    return new SearchFailure('timeout', message, { cause: error });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const message = `The host name ${host} cannot be resolved${named}. Check the AI API URL in the destination or service key`;
    return new SearchFailure('network', message, { cause: error });
  }
  if (code === undefined) {
    const message = `The search could not be sent. Check the destination: its URL (${host}) and its authentication`;
    return new SearchFailure('destination', message, { cause: error });
  }
  const message = `The connection to AI Core at ${host} was closed before a response arrived${named}`;
  return new SearchFailure('network', message, { cause: error });
}

function quote(text: string, address: SearchAddress): string {
  return ` SAP says: ${quoteOnly(text, address)}`;
}

function quoteOnly(text: string, { secrets }: SearchAddress): string {
  return `"${redact(text, secrets)}"`;
}
