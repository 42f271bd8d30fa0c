import { describe, expect, it } from 'vitest';

import { readHttpEndpoints } from '../../../../../src/config/http-endpoints.ts';
import { findEndpoint, toRequestUrl } from '../../../../../src/retrieval/http-endpoints.ts';

const one = '{"docs":{"url":"https://search.example.com/v1/"}}';

describe('readHttpEndpoints', () => {
  it('opens every endpoint to the only tenant, and to named ones of several', () => {
    const named = '{"docs":{"url":"http://10.0.0.1:9200","tenants":["a"]}}';
    const single = readHttpEndpoints(one, { hasSeveralTenants: false });
    const several = readHttpEndpoints(one, { hasSeveralTenants: true });
    const listed = readHttpEndpoints(named, { hasSeveralTenants: true });

    expect(findEndpoint(single, 'docs', 'any')).toBeDefined();
    expect(findEndpoint(single, 'other', 'any')).toBeUndefined();
    expect(findEndpoint(several, 'docs', 'any')).toBeUndefined();
    expect(findEndpoint(listed, 'docs', 'a')).toBeDefined();
    expect(findEndpoint(listed, 'docs', 'b')).toBeUndefined();
  });

  it.each([
    'no json',
    '[]',
    '{"docs":{}}',
    '{"docs":{"url":"ftp://secret-host"}}',
    '{"docs":{"url":"https://user:secret@host"}}',
    '{"docs":{"url":"https://host?key=secret"}}',
    '{"docs":{"url":"https://host","headers":{"a b":"secret"}}}',
    '{"docs":{"url":"https://host","headers":{"a":"secret\\r\\nb: c"}}}',
    '{"docs":{"url":"https://host","hosts":["secret"]}}',
  ])('refuses %s, and repeats no value', (text) => {
    const read = () => readHttpEndpoints(text, { hasSeveralTenants: false });

    expect(read).toThrow(/^Invalid environment: HTTP_SEARCH_ENDPOINTS: /);
    expect(read).not.toThrow(/secret/);
  });
});

describe('toRequestUrl', () => {
  it('stays below the endpoint', () => {
    const endpoint = { url: 'https://search.example.com/v1/' };
    const url = toRequestUrl(endpoint, '/docs/_search', { q: 'a&b=c', size: '3' });

    expect(url.href).toBe('https://search.example.com/v1/docs/_search?q=a%26b%3Dc&size=3');
  });

  it.each(['/../../admin', '/a/%2e%2e/%2E%2E/admin', '/../v1secret', '/%2e%2e/v1'])(
    'refuses %s, which leaves it',
    (path) => {
      const endpoint = { url: 'https://search.example.com/v1/' };

      expect(() => toRequestUrl(endpoint, path, {})).toThrow(TypeError);
    },
  );
});
