import { sql } from "drizzle-orm";
import type { CaseDetail, CaseKind } from "#domain/moderation/cases.ts";
import type { Database } from "./client.ts";
import { cases } from "./schema.ts";

export interface NewCase {
  kind: CaseKind;
  /** The link's file. Null for a case about an account. */
  fileId: string | null;
  /** The owner of the file, or the account. Null for the file of a visitor. */
  userId: string | null;
  /** Replaces the detail of the open case. */
  detail: CaseDetail;
  /** Only for the kind `report`. */
  reportId?: string;
}

const isOpen = sql`${cases.closedAt} is null`;

/**
 * The statement that opens a case, for a batch. A link, or an account without a link, has one open case of each kind:
 * a further one raises its count and replaces its detail.
 * @param now epoch milliseconds
 */
export function caseUpsert(db: Database, { kind, fileId, userId, detail, reportId }: NewCase, now: number) {
  const at = new Date(now);
  const subject = fileId ?? userId ?? crypto.randomUUID();
  return db
    .insert(cases)
    .values({ kind, subject, fileId, userId, reportId: reportId ?? null, openedAt: at, latestAt: at, detail })
    .onConflictDoUpdate({
      target: [cases.kind, cases.subject],
      targetWhere: isOpen,
      set: {
        count: sql`${cases.count} + 1`,
        latestAt: at,
        detail: sql`excluded.detail`,
        reportId: sql`coalesce(excluded.report_id, ${cases.reportId})`,
      },
    })
    .returning({ id: cases.id, count: cases.count });
}

/**
 * Puts something into the administrator's queue.
 * @param now epoch milliseconds
 * @returns the case's id, and how many times its reason has come up; 1 for a case that is new
 */
export async function openCase(db: Database, opened: NewCase, now: number): Promise<{ id: string; count: number }> {
  const [row] = await caseUpsert(db, opened, now);
  if (!row) throw new Error(`no row of a case about ${opened.fileId ?? opened.userId}`);
  return row;
}
