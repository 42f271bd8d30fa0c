import type { Clock } from './resilience/clock.ts';

/** A service that configurations may search, as the operator listed it. */
export interface HttpEndpoint {
  /** Paths of configurations stand below it. */
  readonly url: string;
  /** Sent with every request: credentials belong here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who may search it; `*`: every tenant. */
  readonly tenants: readonly string[];
}

/** By name. */
export type HttpEndpoints = ReadonlyMap<string, HttpEndpoint>;

/** How endpoints are searched. */
export interface HttpSearchOptions {
  readonly endpoints: HttpEndpoints;
  /** The most requests to one endpoint under way at once. */
  readonly concurrency: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock?: Clock | undefined;
}

/** The endpoint that a tenant may search by that name. */
export function findEndpoint(
  endpoints: HttpEndpoints,
  name: string,
  tenant: string,
): HttpEndpoint | undefined {
  const endpoint = endpoints.get(name);
  const isOpen = endpoint?.tenants.some((each) => each === '*' || each === tenant) === true;
  return isOpen ? endpoint : undefined;
}

/** The URL below an endpoint. A path can neither leave its host nor go above it. */
export function toRequestUrl(
  { url }: Pick<HttpEndpoint, 'url'>,
  path: string,
  query: Readonly<Record<string, string>>,
): URL {
  const base = new URL(url);
  const target = new URL(base);
  const root = base.pathname.replace(/\/$/, '');
  target.pathname = `${root}${path}`;
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const isBelow = target.pathname.startsWith(`${root}/`);
  if (target.origin !== base.origin || !isBelow) throw new TypeError('A path left its endpoint');
  return target;
}
