import { and, gte, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";
import { cases, fileReports, statements } from "./schema.ts";

export interface ModerationCounts {
  /** Reports by their reason. */
  reports: Map<string, number>;
  /** Closed cases by kind and outcome, such as `report: taken-down`. */
  cases: Map<string, number>;
  /** Mailed decisions by their reader and kind, such as `owner: suspended`, and how many readers objected. */
  decisions: Map<string, number>;
  /** The median time from a report to its settlement, in milliseconds. Null without settled reports. */
  medianMs: number | null;
}

/** Counts what was reported and decided. @param from the first moment, epoch milliseconds @param until the end */
export async function countModeration(db: Database, from: number, until: number): Promise<ModerationCounts> {
  const within = (column: SQLiteColumn): SQL | undefined =>
    and(isNotNull(column), gte(column, new Date(from)), lt(column, new Date(until)));
  const count = sql<number>`count(*)`;
  const [reports, closed, decided, [median]] = await db.batch([
    db
      .select({ by: fileReports.reason, count })
      .from(fileReports)
      .where(within(fileReports.createdAt))
      .groupBy(fileReports.reason),
    db
      .select({ by: sql<string>`${cases.kind} || ': ' || ${cases.outcome}`, count })
      .from(cases)
      .where(within(cases.closedAt))
      .groupBy(cases.kind, cases.outcome),
    db
      .select({
        by: sql<string>`${statements.reader} || ': ' || ${statements.decision}`,
        count,
        objections: sql<number>`count(${statements.objectedAt})`,
      })
      .from(statements)
      .where(within(statements.at))
      .groupBy(statements.reader, statements.decision),
    db
      .select({
        ms: sql<number | null>`(select settled_at - created_at from file_reports
        where settled_at >= ${from} and settled_at < ${until} order by settled_at - created_at
        limit 1 offset (select max(0, (count(*) - 1) / 2) from file_reports
          where settled_at >= ${from} and settled_at < ${until}))`,
      })
      .from(sql`(select 1)`),
  ]);
  const toMap = (rows: readonly { by: string; count: number }[]) => new Map(rows.map((row) => [row.by, row.count]));
  const objections = decided.map(({ by, objections: count }) => ({ by: `${by}, objected to`, count }));
  return {
    reports: toMap(reports),
    cases: toMap(closed),
    decisions: toMap([...decided, ...objections]),
    medianMs: median?.ms ?? null,
  };
}
