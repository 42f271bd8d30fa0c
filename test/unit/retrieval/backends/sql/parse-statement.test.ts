import { describe, expect, it } from 'vitest';

import { parseStatement } from '../../../../../src/retrieval/backends/sql/parse-statement.ts';

describe('parseStatement', () => {
  it('cuts a statement at its parameters', () => {
    expect(
      parseStatement('select id from d where t @@ :question order by :question limit :depth'),
    ).toEqual({
      texts: ['select id from d where t @@ ', ' order by ', ' limit ', ''],
      parameters: ['question', 'question', 'depth'],
    });
  });

  it.each([
    'SELECT \':depth\' , ":user" FROM d WHERE t = :question::text',
    "with q as (select websearch_to_tsquery('german', :question) as q) select id from d, q where d.v @@ q.q",
    "select id, 'it''s; --' from d where t ilike '%' || :question || '%'",
    '(select id from a where t = :question) union all select id from b',
    'select id from d order by e <=> embed(:question) limit 10',
    'select "update", "id" from "delete" where x = :question',
    "select id, meta->>'a' from d where meta ? :question and tags[1] = 'a' and x >= 1.5e3",
    "SELECT TOP 10 ID FROM \"D\" ORDER BY COSINE_SIMILARITY(V, VECTOR_EMBEDDING(:question, 'QUERY', 'M')) DESC",
  ])('reads %s', (statement) => {
    const { texts, parameters } = parseStatement(statement);

    expect(parameters).toContain('question');
    const whole = texts.map(
      (text, index) => (index === 0 ? '' : `:${parameters[index - 1]}`) + text,
    );
    expect(whole.join('')).toBe(statement);
  });

  it.each([
    ['select 1', 'must contain :question'],
    ["select ':question'", 'must contain :question'],
    ['select :question; drop table d', 'must be one statement, without ";"'],
    ['select :question -- all', 'has a comment'],
    ['select /* ; */ :question', 'has a comment'],
    ['delete from d where t = :question', 'must begin with SELECT or WITH'],
    ['explain select :question', 'must begin with SELECT or WITH'],
    ['with x as (Delete from d returning id) select :question', 'must only read; "DELETE"'],
    ['with x as (insert into d select 1) select :question', 'must only read; "INSERT"'],
    ['select :question into copy from d', 'must only read; "INTO"'],
    ['select :question from d for update', 'must only read; "UPDATE"'],
    ['select :question from d for share', 'must only read; "SHARE"'],
    ["select E'\\'; drop table d; ' || :question", 'has a string with the prefix E'],
    ['select $$;$$ || :question', 'has "$", which is not allowed outside of strings'],
    ['select $1 || :question', 'has "$"'],
    ["select ' || :question", "has a ' without its end"],
    ['select " || :question', 'has a " without its end'],
    ['select \\ :question', 'which is not allowed outside of strings'],
    ['select :question\u0000', 'which is not allowed outside of strings'],
    ['select :question, :embedding', 'has the unknown parameter :embedding; known are :question'],
    ['select :Question', 'has the unknown parameter :Question'],
    ['', 'must begin with SELECT or WITH'],
  ])('refuses %j', (statement, message) => {
    expect(() => parseStatement(statement)).toThrow(message);
  });
});
