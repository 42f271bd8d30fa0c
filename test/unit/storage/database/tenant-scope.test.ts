import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { openDatabase } from '../../../../src/storage/database/database.ts';
import { ownedTables } from '../../../../src/storage/tables/owned-tables.ts';
import {
  acrossTenants,
  scopeToTenant,
  tenantOf,
} from '../../../../src/storage/database/tenant-scope.ts';

const db = openDatabase('sqlite::memory:');
const own = scopeToTenant(db, 'acme');

describe('scopeToTenant', () => {
  it('restricts what is selected, changed and deleted', () => {
    const select = own.selectFrom('run').where('name', '=', 'r').select('name').compile();
    const update = own.updateTable('run').set({ hits: 1 }).where('name', '=', 'r').compile();
    const remove = own.deleteFrom('run').compile();

    expect(select.sql).toBe('select "name" from "run" where "name" = ? and "run"."tenant" = ?');
    expect(select.parameters).toEqual(['r', 'acme']);
    expect(update.sql).toBe('update "run" set "hits" = ? where "name" = ? and "run"."tenant" = ?');
    expect(update.parameters).toEqual([1, 'r', 'acme']);
    expect(remove.sql).toBe('delete from "run" where "run"."tenant" = ?');
  });

  it('restricts both sides of a join, and keeps an outer join outer', () => {
    const query = own
      .selectFrom('job_run as j')
      .leftJoin('evaluation', 'evaluation.id', 'j.evaluation_id')
      .select('run_id')
      .compile();

    expect(query.sql).toBe(
      'select "run_id" from "job_run" as "j" left join "evaluation" on "evaluation"."id" = "j"."evaluation_id" and "evaluation"."tenant" = ? where "j"."tenant" = ?',
    );
  });

  it('restricts what subqueries read, and leaves tables alone that hang on evaluations', () => {
    const query = own
      .deleteFrom('outcome')
      .where('evaluation_id', 'in', (eb) => eb.selectFrom('evaluation').select('id'))
      .compile();

    expect(query.sql).toBe(
      'delete from "outcome" where "evaluation_id" in (select "id" from "evaluation" where "evaluation"."tenant" = ?)',
    );
  });

  it('keeps an or of conditions together', () => {
    const query = own
      .selectFrom('run')
      .where((eb) => eb.or([eb('name', '=', 'a'), eb('name', '=', 'b')]))
      .select('name')
      .compile();

    expect(query.sql).toBe(
      'select "name" from "run" where ("name" = ? or "name" = ?) and "run"."tenant" = ?',
    );
  });

  it('gives inserted rows their owner, and looks for conflicts among the owner’s rows', () => {
    const query = own
      .insertInto('corpus')
      .values([
        { name: 'a', content_hash: 'h', documents: 1, lexicon: null, updated_at: 't' },
        {
          name: 'b',
          content_hash: 'h',
          documents: sql<number>`1 + 1`,
          lexicon: null,
          updated_at: 't',
        },
      ])
      .onConflict((conflict) => conflict.column('name').doNothing())
      .compile();

    expect(query.sql).toBe(
      'insert into "corpus" ("name", "content_hash", "documents", "lexicon", "updated_at", "tenant") values (?, ?, ?, ?, ?, ?), (?, ?, 1 + 1, ?, ?, ?) on conflict ("tenant", "name") do nothing',
    );
    expect(query.parameters).toEqual(['a', 'h', 1, null, 't', 'acme', 'b', 'h', null, 't', 'acme']);
  });

  it('refuses rows that come from elsewhere', () => {
    const copied = own
      .insertInto('run')
      .columns(['name', 'content_hash', 'questions', 'hits', 'created_at'])
      .expression((eb) => eb.selectFrom('run').selectAll());
    const raw = own.selectFrom(sql<{ name: string }>`run`.as('r')).select('name');

    expect(() => copied.compile()).toThrow(TypeError);
    expect(() => raw.compile()).toThrow(TypeError);
  });

  it('holds in transactions, replaces an earlier scope and tells whose it is', async () => {
    const inner = await own.transaction().execute(async (trx) => tenantOf(trx));
    const other = scopeToTenant(own, 'other').selectFrom('run').select('name').compile();

    expect(inner).toBe('acme');
    expect(tenantOf(own)).toBe('acme');
    expect(other.parameters).toEqual(['other']);
  });
});

describe('a database as it is opened', () => {
  it.each([...ownedTables])('refuses what is not about one tenant in %s', (table) => {
    const name = table as 'run';

    expect(() => db.selectFrom(name).compile()).toThrow(`A query on ${table}`);
    expect(() => db.deleteFrom(name).compile()).toThrow(`A query on ${table}`);
  });

  it('refuses inserts, updates, joins and subqueries too', () => {
    const corpus = { name: 'a', content_hash: 'h', documents: 1, lexicon: null, updated_at: 't' };

    expect(() => db.insertInto('corpus').values(corpus).compile()).toThrow(TypeError);
    expect(() => db.updateTable('run').set({ hits: 1 }).compile()).toThrow(TypeError);
    expect(() =>
      db
        .selectFrom('outcome')
        .innerJoin('evaluation', 'id', 'evaluation_id')
        .select('id')
        .compile(),
    ).toThrow(TypeError);
    expect(() =>
      db
        .selectFrom('outcome')
        .where('evaluation_id', 'in', (eb) => eb.selectFrom('evaluation').select('id'))
        .select('question')
        .compile(),
    ).toThrow(TypeError);
    expect(() => tenantOf(db)).toThrow(TypeError);
  });

  it('answers what concerns all tenants when that is said', () => {
    const query = acrossTenants(db).selectFrom('run').select(['tenant', 'name']).compile();

    expect(query.sql).toBe('select "tenant", "name" from "run"');
  });
});
