import { expect, it } from 'vitest';

import { tidyDocument } from '../../../src/http/tidy-document.ts';

it('describes responses by their status where nothing else does', () => {
  const responses = { 202: { description: 'Default Response' }, 200: { description: 'The run' } };

  expect(tidyDocument({ responses })).toEqual({
    responses: { 202: { description: 'Accepted' }, 200: { description: 'The run' } },
  });
});

it('leaves out the limits of safe integers, and no other', () => {
  const any = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 };
  const positive = { type: 'integer', minimum: 0, maximum: 9007199254740991 };

  expect(tidyDocument({ any, positive })).toEqual({
    any: { type: 'integer' },
    positive: { type: 'integer', minimum: 0 },
  });
});

it('moves the default of an optional property into its description', () => {
  const schema = {
    type: 'object',
    required: ['always'],
    properties: {
      size: { type: 'integer', default: 20 },
      kind: { type: 'string', default: 'all', description: 'Which.' },
      said: { type: 'array', default: [], description: 'Models. Default: none.' },
      always: { type: 'boolean', default: false },
      default: { type: 'string' },
    },
  };

  expect(tidyDocument({ schema })).toEqual({
    schema: {
      type: 'object',
      required: ['always'],
      properties: {
        size: { type: 'integer', description: 'Default: `20`.' },
        kind: { type: 'string', description: 'Which. Default: `all`.' },
        said: { type: 'array', description: 'Models. Default: none.' },
        always: { type: 'boolean', default: false },
        default: { type: 'string' },
      },
    },
  });
});

it('keeps the default of a parameter', () => {
  const parameters = [{ in: 'query', name: 'dryRun', schema: { type: 'string', default: 'no' } }];

  expect(tidyDocument({ parameters })).toEqual({ parameters });
});
