import { describe, expect, it } from 'vitest';

import { parseServiceKey } from '../../../../src/retrieval/ai-core/service-key.ts';

const key = {
  clientid: 'client',
  clientsecret: 'made-up-secret',
  url: 'https://subdomain.authentication.example.test',
  serviceurls: { AI_API_URL: 'https://api.ai.example.test' },
};
const { clientsecret: _clientsecret, ...withoutSecret } = key;

describe('parseServiceKey', () => {
  it.each([
    ['a secret', { ...key, identityzone: 'subdomain' }],
    ['a certificate', { ...withoutSecret, certificate: 'PEM', key: 'PEM', certurl: 'https://c' }],
  ])('keeps every field of a key with %s', (_case, given) => {
    expect(parseServiceKey(JSON.stringify(given))).toEqual(given);
  });

  it.each([
    ['no JSON', 'made-up-secret', 'is not JSON'],
    ['half of JSON', '{"clientsecret":"made-up-secret"', 'is not JSON'],
    ['no object', '"made-up-secret"', 'it is missing'],
    ['no client id', JSON.stringify({ ...key, clientid: undefined }), 'clientid'],
    ['no secret', JSON.stringify(withoutSecret), 'clientsecret'],
    ['a URL that is none', JSON.stringify({ ...key, url: 'made-up-secret' }), 'url'],
    ['no API', JSON.stringify({ ...key, serviceurls: {} }), 'serviceurls.AI_API_URL'],
  ])('refuses %s, and repeats nothing of it', (_case, text, named) => {
    expect(() => parseServiceKey(text)).toThrow(TypeError);
    expect(() => parseServiceKey(text)).toThrow(named);
    expect(() => parseServiceKey(text)).not.toThrow('made-up-secret');
  });
});
