import { describe, expect, it } from 'vitest';

import { readSqlSources } from '../../../src/config/sql-sources.ts';

const url = 'postgres://reader:made-up-secret@db.example.com/docs?sslmode=verify-full';
const one = { hasSeveralTenants: false };

describe('readSqlSources', () => {
  it('opens databases to the one tenant, or to those that are named', () => {
    const text = JSON.stringify({ docs: { url }, more: { url, tenants: ['t1'] } });

    expect(readSqlSources(undefined, one).size).toBe(0);
    expect(readSqlSources(text, one).get('docs')).toEqual({ url, tenants: ['*'] });
    expect(readSqlSources(text, { hasSeveralTenants: true })).toEqual(
      new Map([
        ['docs', { url, tenants: [] }],
        ['more', { url, tenants: ['t1'] }],
      ]),
    );
  });

  it.each([
    ['no JSON', 'postgres://made-up-secret'],
    ['another protocol', '{"docs":{"url":"mysql://reader:made-up-secret@db"}}'],
    ['an unknown field', '{"docs":{"url":"postgres://db/docs","password":"made-up-secret"}}'],
    ['an empty list of tenants', '{"docs":{"url":"postgres://made-up-secret@db","tenants":[]}}'],
  ])('refuses %s, and repeats no value', (_case, text) => {
    const read = () => readSqlSources(text, one);

    expect(read).toThrow(/^Invalid environment: SQL_SEARCH_SOURCES: /);
    expect(read).not.toThrow(/made-up-secret/);
  });
});
