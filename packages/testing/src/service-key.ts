export interface ServiceKeyParts {
  /** The address of the token endpoint, without its path. */
  readonly tokenUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service key of AI Core as JSON text, to be set as AICORE_SERVICE_KEY. */
export function createServiceKey(parts: ServiceKeyParts): string {
  return JSON.stringify({
    clientid: parts.clientId,
    clientsecret: parts.clientSecret,
    url: parts.tokenUrl,
    identityzone: 'stub',
    identityzoneid: 'stub',
    appname: 'stub!b1|aicore!b2',
    serviceurls: { AI_API_URL: parts.apiUrl },
  });
}
