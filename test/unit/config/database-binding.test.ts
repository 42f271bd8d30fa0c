import { describe, expect, it } from 'vitest';

import { findBoundDatabase } from '../../../src/config/database-binding.ts';

const credentials = {
  hostname: 'db.example.test',
  port: '5432',
  dbname: 'AbC',
  username: 'user@1',
  password: 'p/w:%?#',
  sslrootcert: 'PEM',
  uri: 'postgres://user:password@db.example.test:5432/AbC?sslmode=no-verify',
};

describe('findBoundDatabase', () => {
  it.each([undefined, '', '{}', '{"postgresql-db":[]}'])('finds nothing in %j', (services) => {
    expect(findBoundDatabase(services)).toBeUndefined();
  });

  it('reads address, user and authority, and never what the uri says of certificates', () => {
    expect(findBoundDatabase(bind(credentials))).toEqual({
      url: 'postgres://user%401:p%2Fw%3A%25%3F%23@db.example.test:5432/AbC',
      tls: { ca: 'PEM' },
    });
  });

  it('goes over TLS with a public authority where the binding brings none', () => {
    const { sslrootcert: _, ...others } = credentials;

    expect(findBoundDatabase(bind(others))?.tls).toEqual({ ca: undefined });
  });

  it.each(['hostname', 'port', 'dbname', 'username', 'password'])(
    'names %s when it lacks',
    (field) => {
      const services = bind({ ...credentials, [field]: undefined });

      expect(() => findBoundDatabase(services)).toThrow(field);
    },
  );
});

function bind(bound: object): string {
  return JSON.stringify({ 'postgresql-db': [{ credentials: bound }] });
}
