import type { ClientCredentials } from './client-token.ts';

/** A bound service of SAP BTP that this one speaks to. */
export interface ServiceBinding {
  readonly url: string;
  readonly credentials: ClientCredentials;
}
