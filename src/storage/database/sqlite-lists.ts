import {
  SqliteDialect,
  SqliteQueryCompiler,
  ValuesNode,
  type PrimitiveValueListNode,
  type QueryCompiler,
} from 'kysely';

/** Shorter lists are written out: those of states, which SQLite plans better when it sees them. */
const minListLength = 20;

/**
 * Binds a long list behind `in` as one value. Written out, lists of many lengths are as many statements, each
 * of which holds up to a megabyte that the garbage collector does not know of.
 */
class ListCompiler extends SqliteQueryCompiler {
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    const { values } = node;
    const isRow = this.parentNode !== undefined && ValuesNode.is(this.parentNode);
    if (isRow || values.length < minListLength || !values.every(isExactInJson)) {
      super.visitPrimitiveValueList(node);
      return;
    }
    this.append('(select value from json_each(');
    this.appendValue(JSON.stringify(values));
    this.append('))');
  }
}

/** Whether SQLite reads the value from JSON as it was. */
function isExactInJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

export class SqliteListDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new ListCompiler();
  }
}
