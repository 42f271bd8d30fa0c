import { randomUUID } from 'node:crypto';

export interface TokenIssuerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly lifetimeSeconds: number;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly jti: string;
}

export interface TokenIssuer {
  /** Undefined for another client or another secret. */
  issue(clientId: string | undefined, clientSecret: string | undefined): TokenAnswer | undefined;
  /** Whether the value of an `Authorization` header carries a token of this issuer that is still valid. */
  accepts(authorization: string | undefined): boolean;
  /** Makes every token issued so far worthless before its time. */
  revokeAll(): void;
}

/** Issues tokens that a client can decode, without signature. */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { clientId, clientSecret, lifetimeSeconds, now } = options;
  const expiries = new Map<string, number>();
  return {
    issue(id, secret) {
      if (id !== clientId || secret !== clientSecret) return undefined;
      const jti = randomUUID();
      const expiry = Math.floor(now() / 1000) + lifetimeSeconds;
      const token = createUnsignedJwt({ jti, cid: clientId, zid: 'stub', exp: expiry });
      expiries.set(token, expiry);
      return {
        access_token: token,
        token_type: 'bearer',
        expires_in: lifetimeSeconds,
        scope: 'uaa.resource',
        jti,
      };
    },
    accepts(authorization) {
      const [, token = ''] = /^bearer (.+)$/i.exec(authorization ?? '') ?? [];
      const expiry = expiries.get(token);
      return expiry !== undefined && now() < expiry * 1000;
    },
    revokeAll() {
      expiries.clear();
    },
  };
}

/** A token that decodes, which is all that the SDK asks of it. */
export function createUnsignedJwt(payload: object): string {
  return `${encodePart({ alg: 'none', typ: 'JWT' })}.${encodePart(payload)}.unsigned`;
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
