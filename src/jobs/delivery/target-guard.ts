import { lookup as lookupByDns } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

import { DeliveryError } from './delivery-error.ts';

/** Where alerts may go. */
export interface TargetPolicy {
  /** Host names, `*.example.com` for all below one; empty: every host that is not private. */
  readonly hosts: readonly string[];
  /** Lets alerts go to this machine, by plain http as well: for trying them out. */
  readonly allowLoopback: boolean;
}

/** Why a receiver's URL is refused, by its text alone. Host names are resolved when a message is sent. */
export function findUrlIssue(
  text: string,
  { hosts, allowLoopback }: TargetPolicy,
): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password';
  const host = hostOf(url);
  if (isLoopbackName(host)) {
    if (!allowLoopback) return 'must not be this machine';
    return /^https?:$/.test(url.protocol) ? undefined : 'must start with http:// or https://';
  }
  if (url.protocol !== 'https:') return 'must start with https://';
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'must not be a private address';
  if (hosts.length > 0 && !hosts.some((allowed) => isCovered(host, allowed))) {
    return 'must have a host that ALERT_HOSTS lists';
  }
  return undefined;
}

/**
 * Resolves names for a connection and refuses those with a private address among theirs. The connection
 * goes to what was checked, so a name that changes in between gains nothing.
 */
export function createGuardedLookup(
  { allowLoopback }: Pick<TargetPolicy, 'allowLoopback'>,
  lookup: typeof lookupByDns = lookupByDns,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const mayLoop = allowLoopback && isLoopbackName(hostname);
      const isRefused = addresses.some(
        ({ address }) => !isPublicAddress(address) && !(mayLoop && isLoopbackAddress(address)),
      );
      const [first] = addresses;
      if (isRefused || !first) {
        return callback(
          new DeliveryError('The host name of the receiver resolves to a private address'),
          [],
        );
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** The host without the brackets of an IPv6 address and without the dot that may end a name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isCovered(host: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Every IPv4 address that is not the public Internet's (IANA's special-purpose registry), multicast included. */
const notPublicV4 = createBlockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** Of IPv6 only 2000::/3 is given out, and of it not what carries an IPv4 address or is for documents. */
const globalV6 = createBlockList('ipv6', [['2000::', 3]]);
const notPublicV6 = createBlockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublicV4.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

function createBlockList(
  type: 'ipv4' | 'ipv6',
  subnets: readonly (readonly [address: string, prefix: number])[],
): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, type);
  return list;
}
