import { setTimeout } from 'node:timers/promises';

import pg from 'pg';

/** Where a database keeps the rows that its tables have from the start. */
const origin = 'test_origin';

/** What each table holds from the start, and a fingerprint of the schema: what a copy is set back to. */
const recordOrigin = `
  do $$
  declare tbl record; filled boolean;
  begin
    create schema ${origin};
    for tbl in ${listTables()} loop
      execute format('select exists (select from %s)', tbl.name) into filled;
      continue when not filled;
      execute format('create table ${origin}.%I as table %s', tbl.name, tbl.name);
    end loop;
    create table ${origin}.fingerprint as ${fingerprint()};
  end $$`;

/** Only what changed is touched: most tables are empty, and a truncated one gets new files. */
const resetTables = `
  do $$
  declare tbl record; filled boolean; seq record;
  begin
    set local session_replication_role = replica;
    for tbl in ${listTables()} loop
      execute format('select exists (select from %s)', tbl.name) into filled;
      if filled then execute format('delete from %s', tbl.name); end if;
      if to_regclass(format('${origin}.%I', tbl.name)) is not null then
        execute format('insert into %s select * from ${origin}.%I', tbl.name, tbl.name);
      end if;
    end loop;
    for seq in
      select format('%I.%I', schemaname, sequencename) as name from pg_sequences where last_value is not null
    loop
      execute format('alter sequence %s restart', seq.name);
    end loop;
  end $$`;

/** Makes a migrated database one whose copies can be set back. */
export async function prepareToReset(url: string): Promise<void> {
  await withClient(url, (client) => client.query(recordOrigin));
}

/**
 * Sets a database back to what the template holds. False when it cannot be used again: its schema was changed, or
 * something is still connected that might write to it later.
 */
export async function resetDatabase(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    if (!(await isLeftByAll(client))) return false;
    const { rows } = await client.query<{ same: boolean }>(
      `select (${fingerprint()}) = (select fingerprint from ${origin}.fingerprint) as same`,
    );
    if (rows[0]?.same !== true) return false;
    await client.query(resetTables);
    return true;
  });
}

/** PostgreSQL ends a session shortly after its client has closed the connection. */
async function isLeftByAll(client: pg.Client): Promise<boolean> {
  for (let look = 0; look < 50; look += 1) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    if (rowCount === 0) return true;
    await setTimeout(20);
  }
  return false;
}

async function withClient<Value>(
  url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tables that hold rows themselves, quoted where need be. */
function listTables(): string {
  return `
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', '${origin}')`;
}

/** Every table with its columns, index, constraint, trigger, function and setting that is not PostgreSQL's own. */
function fingerprint(): string {
  return `
    select md5(coalesce(string_agg(line, ';' order by line), '')) as fingerprint from (
      select format('column %s %s %s %s', c.oid::regclass, a.attname, a.atttypid, a.attnotnull) as line
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attnum > 0 and not a.attisdropped and ${isOurs('c.relnamespace')}
      union all select format('class %s %s', oid::regclass, relkind) from pg_class where ${isOurs('relnamespace')}
      union all select format('constraint %s %s', conname, conrelid::regclass) from pg_constraint where ${isOurs('connamespace')}
      union all select format('trigger %s %s', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
      union all select format('function %s %s', proname, md5(prosrc)) from pg_proc where ${isOurs('pronamespace')}
      union all select format('schema %s', nspname) from pg_namespace where ${isOurs('oid')} and nspname !~ '^pg_'
      union all select format('setting %s', setconfig) from pg_db_role_setting
        where setdatabase = (select oid from pg_database where datname = current_database())
    ) lines`;
}

function isOurs(schema: string): string {
  return `${schema} not in (select oid from pg_namespace where nspname in ('pg_catalog', 'information_schema', 'pg_toast', '${origin}'))`;
}
