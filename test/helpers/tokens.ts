import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import nock from 'nock';

import { createXsuaaSignIn, type SignIn } from '../../src/http/access/sign-in.ts';

const domain = 'authentication.example.test';
const keyId = 'key-1';
const pair = await generateKeyPair('RS256', { extractable: true });
const stranger = await generateKeyPair('RS256');

export const zoneA = 'a0000000-0000-4000-8000-000000000000';
/** The zone in which the service is bound. */
export const providerZone = 'e0000000-0000-4000-8000-000000000000';
export const zoneB = 'b0000000-0000-4000-8000-000000000000';

/** As the binding of an XSUAA that several tenants share. */
const xsuaaBinding = {
  clientId: 'sb-grounding-eval!t1',
  appName: 'grounding-eval!t1',
  domain,
  onlyZone: undefined,
  providerZone,
} as const;

/** Sign-in against published keys; the network's edge is where they are fetched from. */
export async function createTestSignIn(onlyZone?: string): Promise<SignIn> {
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }];
  interceptKeys().reply(200, { keys });
  return createXsuaaSignIn({ ...xsuaaBinding, onlyZone });
}

/** Sign-in, and how often it fetched keys. */
export async function createCountedSignIn(): Promise<{
  readonly signIn: SignIn;
  readonly countFetches: () => number;
}> {
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }];
  let fetches = 0;
  interceptKeys().reply(200, () => {
    fetches += 1;
    return { keys };
  });
  return { signIn: createXsuaaSignIn(xsuaaBinding), countFetches: () => fetches };
}

/** Sign-in while the keys cannot be fetched. */
export function createBrokenSignIn(fault: 'unreachable' | 'failing'): SignIn {
  if (fault === 'unreachable') interceptKeys().replyWithError('connection refused');
  else interceptKeys().reply(500, 'out of order');
  return createXsuaaSignIn(xsuaaBinding);
}

function interceptKeys(): nock.Interceptor {
  return nock(`https://${domain}`).persist().get('/token_keys').query(true);
}

export interface TokenOptions {
  readonly zone?: string;
  /** Without the name of the application. */
  readonly scopes?: readonly string[];
  readonly user?: string;
  /** By client credentials. */
  readonly client?: string;
  readonly audience?: string;
  /** Seconds from now. */
  readonly expiresIn?: number;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signer?: 'xsuaa' | 'stranger';
}

/** A token as XSUAA makes it, or nearly so. */
export async function makeToken(options: TokenOptions = {}): Promise<string> {
  const key = options.signer === 'stranger' ? stranger.privateKey : pair.privateKey;
  return new SignJWT(makeClaims(options)).setProtectedHeader(header('RS256')).sign(key);
}

/** The claims unsigned, as `alg: none` has them. */
export function makeUnsignedToken(options: TokenOptions = {}): string {
  return `${encode(header('none'))}.${encode(makeClaims(options))}.`;
}

/** Signed with the public key as if it were a shared secret. */
export async function makeConfusedToken(options: TokenOptions = {}): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey));
  return new SignJWT(makeClaims(options)).setProtectedHeader(header('HS256')).sign(secret);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function header(alg: string) {
  return { alg, typ: 'JWT', kid: keyId, jku: `https://${domain}/token_keys` };
}

function makeClaims(options: TokenOptions): Record<string, unknown> {
  const { zone = zoneA, scopes = ['Read'], user = 'anna', client } = options;
  const { audience = xsuaaBinding.appName, expiresIn = 600, claims } = options;
  const now = Math.floor(Date.now() / 1000);
  return {
    aud: [audience],
    cid: client ?? (audience === xsuaaBinding.appName ? xsuaaBinding.clientId : 'sb-other!t2'),
    zid: zone,
    iat: now - 60,
    exp: now + expiresIn,
    scope: scopes.map((scope) => `${xsuaaBinding.appName}.${scope}`),
    ...(client === undefined
      ? { grant_type: 'authorization_code', user_name: user, origin: 'sap.default' }
      : { grant_type: 'client_credentials' }),
    ...claims,
  };
}
