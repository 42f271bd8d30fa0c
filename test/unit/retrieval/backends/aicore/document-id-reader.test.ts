import { describe, expect, it } from 'vitest';

import { createDocumentIdReader } from '../../../../../src/retrieval/backends/aicore/document-id-reader.ts';
import type { DocumentIdRule } from '../../../../../src/model/document-id-rule.ts';

const chunk = {
  id: 'chunk-1',
  content: '',
  metadata: [
    { key: 'docId', value: ['', 'N-1', 'N-2'] },
    { key: 'url', value: ['https://docs.example.test/a/pru\u0308f.pdf'] },
    { key: 'blank', value: [' '] },
  ],
  postProcessingScore: undefined,
  aggregatedScore: undefined,
  denseScore: undefined,
};
const document = {
  id: 'document-1',
  metadata: [
    { key: 'title', value: ['Brakes'] },
    { key: 'title', value: ['Brakes again'] },
  ],
  chunks: [chunk],
};

describe('createDocumentIdReader', () => {
  it.each<[string, DocumentIdRule, string | null, boolean]>([
    ['the first value that is not blank', { from: 'chunkMetadata', key: 'docId' }, 'N-1', true],
    ['metadata of the document', { from: 'documentMetadata', key: 'title' }, 'Brakes', true],
    ["SAP's document id", { from: 'documentId' }, 'document-1', false],
    ["SAP's chunk id", { from: 'chunkId' }, 'chunk-1', false],
    ['no id off a key that is missing', { from: 'chunkMetadata', key: 'title' }, null, false],
    ['no id off a blank value', { from: 'chunkMetadata', key: 'blank' }, null, false],
    [
      'an id in composed Unicode',
      { from: 'chunkMetadata', key: 'url', pattern: '/([^/]+)$' },
      'pr\u00fcf.pdf',
      false,
    ],
    [
      'no id where the pattern does not match',
      { from: 'chunkMetadata', key: 'url', pattern: '^ftp:(.*)$' },
      null,
      false,
    ],
  ])('reads %s', (_case, rule, documentId, hasOthers) => {
    expect(createDocumentIdReader([rule])(chunk, document)).toEqual({ documentId, hasOthers });
  });

  it('goes through the rules in their order until one gives an id', () => {
    const read = createDocumentIdReader([
      { from: 'chunkMetadata', key: 'missing' },
      { from: 'documentMetadata', key: 'title', pattern: '^(X.*)$' },
      { from: 'documentId' },
      { from: 'chunkId' },
    ]);
    expect(read(chunk, document).documentId).toBe('document-1');
  });
});
