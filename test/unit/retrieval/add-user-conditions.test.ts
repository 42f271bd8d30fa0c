import { describe, expect, it } from 'vitest';

import { addUserConditions } from '../../../src/retrieval/add-user-conditions.ts';
import type { FilterTree, SearchFilter } from '../../../src/model/filters.ts';

const company = { key: 'company', value: ['1000'] };
const region = { key: 'region', value: ['north'], selectMode: ['ignoreIfKeyAbsent'] };
const process = { key: 'process', value: ['order-to-cash'] };
const users = {
  anna: { documentMetadata: [company, region] },
  guest: { documentMetadata: [] },
};

describe('addUserConditions', () => {
  it('leaves the filters as they are without a user', () => {
    const filters: readonly SearchFilter[] = [{ documentMetadata: [process] }];
    expect(addUserConditions(filters, users, undefined)).toBe(filters);
  });

  it('makes a filter of the conditions where there is none', () => {
    expect(addUserConditions([], users, 'anna')).toEqual([{ documentMetadata: [company, region] }]);
  });

  it('appends the conditions to every filter and keeps what it does not know', () => {
    const filters = [
      { id: 'notes', documentMetadata: [process], scoringConfiguration: { weight: 2 } },
      { id: 'help', chunkMetadata: [process] },
    ];
    expect(addUserConditions(filters, users, 'anna')).toEqual([
      {
        id: 'notes',
        documentMetadata: [process, company, region],
        scoringConfiguration: { weight: 2 },
      },
      { id: 'help', chunkMetadata: [process], documentMetadata: [company, region] },
    ]);
  });

  it('joins the conditions with a boolean tree instead of putting a list beside it', () => {
    const tree: FilterTree = { ...process, scope: 'chunk' };
    expect(addUserConditions([{ id: 'tree', filter: tree }], users, 'anna')).toEqual([
      {
        id: 'tree',
        filter: {
          operator: 'and',
          left: { operator: 'and', left: tree, right: { ...company, scope: 'document' } },
          right: { ...region, scope: 'document' },
        },
      },
    ]);
  });

  it('adds nothing for a user without conditions', () => {
    const filter: FilterTree = { ...process, scope: 'document' };
    expect(addUserConditions([{ filter }], users, 'guest')).toEqual([{ filter }]);
  });

  it('never changes the filters it is given', () => {
    const filters = [{ documentMetadata: [process] }, { filter: { ...process, scope: 'chunk' } }];
    const before = structuredClone(filters);
    addUserConditions(filters as readonly SearchFilter[], users, 'anna');
    expect(filters).toEqual(before);
  });

  it.each(['bob', '', 'Anna', '__proto__', 'constructor', 'toString'])(
    'refuses the unknown user "%s" and says what to do',
    (user) => {
      expect(() => addUserConditions([], users, user)).toThrow(
        expect.objectContaining({
          code: 'unknown-user',
          message: expect.stringContaining(`Add '${user}' to the configuration's \`users\``),
        }),
      );
    },
  );
});
