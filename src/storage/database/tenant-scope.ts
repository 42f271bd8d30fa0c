import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  IdentifierNode,
  OnNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type JoinNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  type QueryId,
  type RootOperationNode,
  type UpdateQueryNode,
} from 'kysely';

import type { AllowedAccess } from '../../model/allowances.ts';
import { ownedTables } from '../tables/owned-tables.ts';
import type { Tables } from '../tables/tables.ts';

/** What one tenant may have; absent: as much as it wants. */
export interface Quotas {
  /** Evaluations that are queued or running. */
  readonly evaluations?: number | undefined;
  /** Questions in the latest versions of all its sets. */
  readonly questions?: number | undefined;
  /** What it may use of AI Core, where the environment says so; absent: what is listed for each tenant. */
  readonly aiCore?: readonly AllowedAccess[] | undefined;
}

/** Who owns what is stored without sign-in. */
export const localTenant = 'local';

/**
 * The same database, or transaction, as one tenant sees it: every query on a table that tenants own reads
 * and changes that tenant's rows alone, and every row that is inserted is the tenant's. Functions that take
 * `db` first need not know, and cannot forget. `author` is noted as the one who made what is made.
 */
export function scopeToTenant<Db extends Kysely<Tables>>(
  db: Db,
  tenant: string,
  author: string | null = null,
): Db {
  const scope = new TenantScope({ tenant, author, quotas: quotasOf(db) });
  return db.withoutPlugins().withPlugin(scope) as Db;
}

/**
 * The same database without an owner: queries on tables that tenants own are refused. The quotas hold for
 * every tenant that it is scoped to.
 */
export function refuseWithoutTenant<Db extends Kysely<Tables>>(db: Db, quotas: Quotas = {}): Db {
  const scope = new TenantScope({ tenant: undefined, author: null, quotas });
  return db.withoutPlugins().withPlugin(scope) as Db;
}

/** For the few questions that concern all tenants, such as what is due next. Only storage asks them. */
export function acrossTenants<Db extends Kysely<Tables>>(db: Db): Db {
  return db.withoutPlugins() as Db;
}

/** Whose rows a database shows. */
export function tenantOf(db: Kysely<Tables>): string {
  const tenant = findScope(db)?.tenant;
  if (tenant === undefined) throw new TypeError('Database handle is not scoped to a tenant');
  return tenant;
}

/** The user or client on whose behalf the database is used; null: no authentication, or the service itself. */
export function authorOf(db: Kysely<Tables>): string | null {
  return findScope(db)?.author ?? null;
}

/** What a tenant may have at most. */
export function quotasOf(db: Kysely<Tables>): Quotas {
  return findScope(db)?.quotas ?? {};
}

function findScope(db: Kysely<Tables>): TenantScope | undefined {
  return db.getExecutor().plugins.find((plugin) => plugin instanceof TenantScope);
}

class TenantScope implements KyselyPlugin {
  readonly tenant: string | undefined;
  readonly author: string | null;
  readonly quotas: Quotas;
  readonly #transformer: TenantTransformer;

  constructor({ tenant, author, quotas }: Pick<TenantScope, 'tenant' | 'author' | 'quotas'>) {
    this.tenant = tenant;
    this.author = author;
    this.quotas = quotas;
    this.#transformer = new TenantTransformer(tenant);
  }

  transformQuery({ node, queryId }: { node: RootOperationNode; queryId: QueryId }) {
    return this.#transformer.transformNode(node, queryId);
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result;
  }
}

class TenantTransformer extends OperationNodeTransformer {
  readonly #tenant: string | undefined;

  constructor(tenant: string | undefined) {
    super();
    this.#tenant = tenant;
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId: QueryId) {
    const query = super.transformSelectQuery(node, queryId);
    return { ...query, ...this.#restrict(query, query.from?.froms ?? []) };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId: QueryId) {
    const query = super.transformUpdateQuery(node, queryId);
    const tables = [...(query.table ? [query.table] : []), ...(query.from?.froms ?? [])];
    return { ...query, ...this.#restrict(query, tables) };
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId: QueryId) {
    const query = super.transformDeleteQuery(node, queryId);
    const tables = [...query.from.froms, ...(query.using?.tables ?? [])];
    return { ...query, ...this.#restrict(query, tables) };
  }

  protected override transformJoin(node: JoinNode, queryId: QueryId): JoinNode {
    const join = super.transformJoin(node, queryId);
    const condition = this.#conditionOn(join.table);
    if (!condition) return join;
    const on = join.on ? AndNode.create(join.on.on, condition) : condition;
    return { ...join, on: OnNode.create(on) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId: QueryId) {
    const query = super.transformInsertQuery(node, queryId);
    if (!query.into || ownedNameOf(query.into) === undefined) return query;
    const tenant = this.#require(query.into);
    if (!query.columns || !query.values || !ValuesNode.is(query.values)) {
      throw new TypeError('Only rows of values can be inserted for a tenant');
    }
    const column = ColumnNode.create('tenant');
    const { onConflict } = query;
    const target = onConflict?.columns && [column, ...onConflict.columns];
    return {
      ...query,
      columns: [...query.columns, column],
      values: addValue(query.values, tenant),
      ...(onConflict && target && { onConflict: { ...onConflict, columns: target } }),
    };
  }

  #restrict(
    { where }: { readonly where?: WhereNode },
    tables: readonly OperationNode[],
  ): { readonly where?: WhereNode } {
    const conditions = tables.flatMap((table) => this.#conditionOn(table) ?? []);
    const [first, ...others] = where ? [where.where, ...conditions] : conditions;
    if (!first) return {};
    return { where: WhereNode.create(others.reduce(AndNode.create, first)) };
  }

  #conditionOn(table: OperationNode): OperationNode | undefined {
    const name = ownedNameOf(table);
    if (name === undefined) return undefined;
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create('tenant'), TableNode.create(name)),
      OperatorNode.create('='),
      ValueNode.create(this.#require(table)),
    );
  }

  #require(table: OperationNode): string {
    if (this.#tenant !== undefined) return this.#tenant;
    throw new TypeError(`A query on ${ownedNameOf(table)} must be scoped to a tenant`);
  }
}

/** What a query calls a table that tenants own; undefined for another. Their rows must not come in unseen. */
function ownedNameOf(node: OperationNode): string | undefined {
  if (TableNode.is(node)) {
    const { name } = node.table.identifier;
    return ownedTables.has(name) ? name : undefined;
  }
  // What a subquery reads is restricted inside it.
  if (SelectQueryNode.is(node)) return undefined;
  if (AliasNode.is(node) && IdentifierNode.is(node.alias)) {
    const isOwned = ownedNameOf(node.node) !== undefined;
    return isOwned ? node.alias.name : undefined;
  }
  throw new TypeError(`Rows from a ${node.kind} cannot be scoped to a tenant`);
}

function addValue({ values }: ValuesNode, value: string): ValuesNode {
  const rows = values.map((row) =>
    PrimitiveValueListNode.is(row)
      ? PrimitiveValueListNode.create([...row.values, value])
      : ValueListNode.create([...row.values, ValueNode.create(value)]),
  );
  return ValuesNode.create(rows);
}
