import { describe, expect, it } from 'vitest';

import {
  fillTemplate,
  findTemplateIssues,
  inserts,
  type TemplateValues,
} from '../../../../../src/retrieval/backends/http/fill-template.ts';

const nothing: TemplateValues = {
  question: undefined,
  history: undefined,
  depth: undefined,
  size: undefined,
  offset: undefined,
  page: undefined,
  filters: undefined,
  user: undefined,
};

describe('fillTemplate', () => {
  it('inserts values of any type, and leaves the rest as it is', () => {
    const template = {
      query: { match: { text: { $value: 'question' } } },
      size: { $value: 'depth' },
      tracked: false,
      fields: ['title', null, 1.5],
    };
    const values = { ...nothing, question: 'Welche Pumpe?', depth: 20 };

    expect(fillTemplate(template, values)).toEqual({
      query: { match: { text: 'Welche Pumpe?' } },
      size: 20,
      tracked: false,
      fields: ['title', null, 1.5],
    });
  });

  it('never lets a text change the shape of the request', () => {
    const question = '"}}, "size": 0, "x": { "$value": "user" }';
    const filled = fillTemplate({ q: { $value: 'question' } }, { ...nothing, question });

    expect(filled).toEqual({ q: question });
  });

  it('leaves out members and items without a value', () => {
    const template = {
      must: [{ $value: 'filters' }, { $value: 'user' }],
      user: { $value: 'user' },
    };
    const filters = { term: { lang: 'de' } };

    expect(fillTemplate(template, { ...nothing, filters })).toEqual({ must: [filters] });
  });

  it('keeps a list that is a value in one piece', () => {
    const filled = fillTemplate([{ $value: 'filters' }, 1], { ...nothing, filters: [1, 2] });

    expect(filled).toEqual([[1, 2], 1]);
  });
});

describe('findTemplateIssues', () => {
  it.each([
    [{ a: [{ $value: 'querstion' }] }, ['body', 'a', 0]],
    [{ a: { $value: 'question', boost: 2 } }, ['body', 'a']],
    [{ $value: 3 }, ['body']],
  ])('finds what cannot be filled in %j', (template, path) => {
    const faults = [...findTemplateIssues(template, ['body'])];

    expect(faults).toEqual([{ path, detail: expect.stringContaining('"question", "history"') }]);
  });

  it('finds nothing in a template that can be filled', () => {
    const template = { a: [{ $value: 'question' }, 'b'], c: null };

    expect([...findTemplateIssues(template, [])]).toEqual([]);
    expect(inserts(template, 'question')).toBe(true);
    expect(inserts(template, 'depth')).toBe(false);
  });
});
