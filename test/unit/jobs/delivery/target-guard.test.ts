import type { LookupAddress } from 'node:dns';

import { describe, expect, it } from 'vitest';

import { createGuardedLookup, findUrlIssue } from '../../../../src/jobs/delivery/target-guard.ts';

type Lookup = NonNullable<Parameters<typeof createGuardedLookup>[1]>;

describe('createGuardedLookup', () => {
  // Addresses of IANA's special-purpose registries, and one beside a public one.
  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['172.31.255.255'],
    ['192.168.1.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['fe80::1'],
    ['fc00::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::a00:1'],
    ['2002:a00:1::'],
    ['2001:db8::1'],
    ['93.184.215.14', '10.0.0.1'],
  ])('refuses a name that leads to %s', async (...addresses) => {
    await expect(resolve('hooks.example.com', addresses)).rejects.toThrow('private address');
  });

  it.each([['93.184.215.14'], ['172.32.0.1'], ['2606:2800:220:1::1']])(
    'takes %s',
    async (address) => {
      await expect(resolve('hooks.example.com', [address])).resolves.toBe(address);
    },
  );

  it('lets a name lead to this machine only when it is one of its own and that is allowed', async () => {
    const isAllowed = { allowLoopback: true };

    await expect(resolve('localhost', ['127.0.0.1'], isAllowed)).resolves.toBe('127.0.0.1');
    await expect(resolve('hooks.example.com', ['127.0.0.1'], isAllowed)).rejects.toThrow('private');
    await expect(resolve('localhost', ['10.0.0.1'], isAllowed)).rejects.toThrow('private');
  });

  it('gives every address to those who ask for all', async () => {
    const addresses = [
      { address: '93.184.215.14', family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ];
    const { promise, resolve: done } = Promise.withResolvers<unknown>();
    const guarded = createGuardedLookup({ allowLoopback: false }, answerWith(addresses));
    guarded('hooks.example.com', { all: true }, (_error, found) => done(found));

    await expect(promise).resolves.toEqual(addresses);
  });

  it('passes on that a name is not known', async () => {
    const failing = ((_name: string, _options: object, callback: (error: Error) => void) =>
      callback(new Error('ENOTFOUND'))) as unknown as Lookup;
    const { promise, reject } = Promise.withResolvers<never>();
    createGuardedLookup({ allowLoopback: false }, failing)('nowhere.example.com', {}, reject);

    await expect(promise).rejects.toThrow('ENOTFOUND');
  });
});

describe('findUrlIssue', () => {
  it.each([
    ['http', 'http://hooks.example.com/a', []],
    ['this machine', 'https://localhost/a', []],
    ['this machine by address', 'http://127.0.0.1:9/a', []],
    ['this machine by another spelling', 'https://2130706433/a', []],
    ['no machine in particular', 'https://0.0.0.0/a', []],
    ['a private address', 'https://10.0.0.7/a', []],
    ['the metadata of a cloud', 'https://169.254.169.254/latest', []],
    ['a private address of IPv6', 'https://[fd00::1]/a', []],
    ['an IPv4 address within one of IPv6', 'https://[::ffff:10.0.0.7]/a', []],
    ['a user', 'https://me:pass@hooks.example.com/a', []],
    ['another scheme', 'ftp://hooks.example.com/a', []],
    ['no URL', 'hooks.example.com', []],
    ['a host that is not listed', 'https://hooks.example.com/a', ['hooks.example.org']],
    ['a host that ends like a listed one', 'https://evilexample.com/a', ['*.example.com']],
  ])('refuses %s', (_name, url, hosts) => {
    expect(findUrlIssue(url, { hosts, allowLoopback: false })).toEqual(expect.any(String));
  });

  it.each([
    ['https://hooks.example.com/a', [], false],
    ['https://hooks.example.com/a', ['hooks.example.com'], false],
    ['https://hooks.example.com./a', ['*.example.com'], false],
    ['https://93.184.215.14/a', [], false],
    ['http://127.0.0.1:9/a', [], true],
    ['http://localhost:9/a', ['hooks.example.com'], true],
  ])('takes %s where %j are listed and loopback is %s', (url, hosts, allowLoopback) => {
    expect(findUrlIssue(url, { hosts, allowLoopback })).toBeUndefined();
  });

  it('lets nothing but this machine be reached by plain http', () => {
    const policy = { hosts: [], allowLoopback: true };

    expect(findUrlIssue('http://hooks.example.com', policy)).toBe('must start with https://');
    expect(findUrlIssue('ftp://localhost', policy)).toContain('http://');
  });
});

function resolve(
  name: string,
  addresses: readonly string[],
  policy = { allowLoopback: false },
): Promise<unknown> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const { promise, resolve: done, reject } = Promise.withResolvers<unknown>();
  const guarded = createGuardedLookup(policy, answerWith(found));
  guarded(name, {}, (error, address) => (error ? reject(error) : done(address)));
  return promise;
}

function answerWith(addresses: readonly LookupAddress[]): Lookup {
  return ((_name: string, _options: object, callback: (...answer: unknown[]) => void) =>
    callback(null, addresses)) as unknown as Lookup;
}
