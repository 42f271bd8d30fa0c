/** How tokens are told that are meant for this service. No secret is needed for that. */
export interface XsuaaBinding {
  readonly clientId: string;
  readonly appName: string;
  readonly domain: string;
  /** The one zone whose tokens are taken; undefined: those of every zone, which keep to their own data. */
  readonly onlyZone: string | undefined;
  /** The zone in which the service is bound, whose operators keep the lists of all; undefined: unknown. */
  readonly providerZone: string | undefined;
}
