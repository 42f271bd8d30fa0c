/** How tokens for this service are recognized. This needs no secret. */
export interface XsuaaBinding {
  readonly clientId: string;
  readonly appName: string;
  readonly domain: string;
  /** The one zone whose tokens are taken; undefined: those of every zone, which keep to their own data. */
  readonly onlyZone: string | undefined;
  /** The zone in which the service is bound, whose operators keep the lists of all; undefined: unknown. */
  readonly providerZone: string | undefined;
}
