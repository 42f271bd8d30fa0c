import { describe, expect, it } from 'vitest';

import { describeBody, readSapError, redact } from '../../../../src/retrieval/ai-core/sap-error.ts';

describe('readSapError', () => {
  it.each<[string, unknown, string | undefined, string | undefined]>([
    ['in error', { error: { message: 'No', requestId: 'r' } }, 'No', 'r'],
    ['at the top', { message: 'No', requestId: 'r' }, 'No', 'r'],
    ['in snake case', { request_id: 'r', message: 'No' }, 'No', 'r'],
    ['with details', { message: 'No', details: [{ message: 'why' }, null] }, 'No – why', undefined],
    ['once, when repeated', { message: 'No', details: [{ message: 'No' }] }, 'No', undefined],
    ['of OAuth', { error: 'invalid_client', error_description: 'Who?' }, 'Who?', undefined],
    ['nowhere', { status: 'UP' }, undefined, undefined],
    ['in a page', '<html>', undefined, undefined],
    ['in nothing', undefined, undefined, undefined],
    ['of other kinds', { message: 5, requestId: {}, details: 'x' }, undefined, undefined],
  ])('reads what is said %s', (_case, body, message, requestId) => {
    expect(readSapError(body)).toEqual({ message, requestId });
  });
});

describe('redact', () => {
  it.each([
    ['a bearer token', 'sent Bearer abc.def.ghi now', 'sent … now'],
    ['a JWT', 'token eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.sig refused', 'token … refused'],
    ['what the caller names', 'query "who pays?" is bad', 'query "…" is bad'],
  ])('takes out %s', (_case, text, expected) => {
    expect(redact(text, ['who pays?', ' '])).toBe(expected);
  });

  it('cuts what is long', () => {
    expect(redact('x'.repeat(600))).toHaveLength(500);
  });
});

describe('describeBody', () => {
  it.each([
    ['', 'empty'],
    [null, 'empty'],
    ['<!DOCTYPE html><p>secret', 'a web page'],
    ['secret', 'not JSON'],
    [{ status: 'secret' }, 'status'],
  ])('says what %j is, and nothing of its text', (body, said) => {
    expect(describeBody(body)).toContain(said);
    expect(describeBody(body)).not.toContain('secret');
  });
});
