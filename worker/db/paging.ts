import { and, getTableColumns, getTableName, sql, Subquery, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { readCursor, writeCursor, type PageEdge } from "#domain/paging.ts";
import { ADMIN_COUNTED_ROWS, ADMIN_PAGE_SIZE, type Paged } from "#domain/wire.ts";
import type { Database } from "./client.ts";

/**
 * An order of rows by the value of one expression. Rows with the same value are ordered by their rowids, in the same
 * direction.
 */
export interface RowOrder {
  by: SQL<string | number>;
  descending: boolean;
}

/**
 * The page that is asked for, by number or by cursor. If both are given, the cursor counts. With a cursor, only the
 * page's own rows are read.
 */
export interface PageQuery {
  page?: number | undefined;
  cursor?: string | undefined;
}

/** One page, and the cursors of the next and the previous page; null if there is no such page. */
export interface Page<Row> {
  rows: Row[];
  page: number;
  next: string | null;
  previous: string | null;
}

export interface CountedPage<Row> extends Page<Row> {
  /** The number of rows on all pages. */
  total: number;
}

/** What a query selects besides its columns, to make cursors from the page's first and last row. */
interface EdgeValues {
  edgeValue: string | number;
  edgeRowid: number;
}

/**
 * One page of a table's rows, as the source of a query. With a cursor, the page begins in an index beside the last row
 * that was read, so that rows in front of the page cost nothing, and new rows shift no page.
 */
export function readPage(
  table: SQLiteTable,
  selected: SQL | undefined,
  { by, descending }: RowOrder,
  { page = 1, cursor }: PageQuery,
  size = ADMIN_PAGE_SIZE,
) {
  const edge = cursor === undefined ? null : readCursor(cursor);
  const isDown = descending !== (edge?.side === "before");
  const isBeyond = sql.raw(isDown ? "<" : ">");
  const direction = sql.raw(isDown ? "desc" : "asc");
  const rowid = sql`${table}.rowid`;
  // Reads one row more than the page has, which tells whether another page follows.
  const limit = size + 1;
  const rowsWhere = (condition: SQL | undefined, order: SQL) => sql`
    select ${table}.*, ${by} as edge_value, ${rowid} as edge_rowid from ${table}
    where ${and(selected, condition) ?? sql`true`}
    order by ${order} limit ${limit} offset ${edge ? 0 : (page - 1) * size}`;
  const [byRowid, byBoth] = [sql`${rowid} ${direction}`, sql`${by} ${direction}, ${rowid} ${direction}`];
  // Reads the page in two parts, because no index finds a row by a value and its rowid at once. The second part is not
  // read once the first one fills the page.
  const rowsBeside = ({ value, rowid: edgeRowid }: PageEdge) => sql`
    select * from (${rowsWhere(sql`${by} = ${value} and ${rowid} ${isBeyond} ${edgeRowid}`, byRowid)})
    union all select * from (${rowsWhere(sql`${by} ${isBeyond} ${value}`, byBoth)}) limit ${limit}`;
  return {
    // The subquery has the table's name, so that a query may select the table's columns.
    source: new Subquery(
      edge ? rowsBeside(edge) : rowsWhere(undefined, byBoth),
      getTableColumns(table),
      getTableName(table),
    ),
    edge: { edgeValue: sql<string | number>`edge_value`, edgeRowid: sql<number>`edge_rowid` },
    cut: <Row extends EdgeValues>(found: Row[]) => cutPage(found, edge, page, size),
  };
}

function cutPage<Row extends EdgeValues>(
  found: Row[],
  edge: PageEdge | null,
  page: number,
  size: number,
): Page<Omit<Row, keyof EdgeValues>> {
  const rows = found.slice(0, size);
  const hasMore = found.length > size;
  const isBackwards = edge?.side === "before";
  if (isBackwards) rows.reverse();
  const isFirst = isBackwards ? !hasMore : edge === null && page === 1;
  // A page that a cursor finds keeps the number in the cursor, even if rows were added or deleted since the cursor was
  // made.
  const number = isFirst ? 1 : Math.max(2, edge?.page ?? page);
  const [first, last] = [rows[0], rows.at(-1)];
  const cursorAt = (row: Row, side: PageEdge["side"], to: number) =>
    writeCursor({ page: to, side, value: row.edgeValue, rowid: row.edgeRowid });
  return {
    rows: rows.map(({ edgeValue: _value, edgeRowid: _rowid, ...row }) => row),
    page: number,
    next: last && (isBackwards || hasMore) ? cursorAt(last, "after", number + 1) : null,
    previous: first && !isFirst ? cursorAt(first, "before", number - 1) : null,
  };
}

/** Counts rows, but at most `ADMIN_COUNTED_ROWS`, so that counting a large table stays cheap. */
export function cappedCount(db: Database, table: SQLiteTable, condition: SQL | undefined) {
  const rows = db
    .select({ one: sql<number>`1`.as("one") })
    .from(table)
    .where(condition)
    .limit(ADMIN_COUNTED_ROWS)
    .as("counted");
  return db.select({ total: sql<number>`count(*)` }).from(rows);
}

/** A range condition for a prefix, which SQLite answers from an index, unlike `like`. */
export function startsWith(column: SQL, prefix: string): SQL {
  return sql`${column} >= ${prefix} and ${column} < ${`${prefix}\u{10ffff}`}`;
}

/**
 * The number of pages. The number is at least as high as the page just read proves, because counting rows stops at a
 * limit.
 */
export function pagesOf({ rows, page, next, total }: CountedPage<unknown>, size = ADMIN_PAGE_SIZE): number {
  const seen = rows.length === 0 ? 1 : page + (next === null ? 0 : 1);
  return Math.max(seen, Math.ceil(total / size));
}

export function toPage<Row, Item>(listed: CountedPage<Row>, describe: (row: Row) => Item): Paged<Item> {
  const { rows, page, next, previous, total } = listed;
  return { items: rows.map(describe), page, pages: pagesOf(listed), total, next, previous };
}
