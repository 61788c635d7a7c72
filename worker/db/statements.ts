import { and, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { CaseDetail } from "#domain/moderation/cases.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { OBJECTION_MS } from "#domain/moderation/statements.ts";
import { caseUpsert } from "./cases.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { fileReports, statements, users } from "./schema.ts";

export type StatementRow = typeof statements.$inferSelect;
export type NewStatement = Omit<StatementRow, "objectedAt">;

/** The statement that keeps a decision and its link to object, for the batch of the decision. */
export function statementInsert(db: Database, row: NewStatement, condition: SQL) {
  const { id, tokenHash, decision, reader, fileId, userId, reportId, about, reason, at } = row;
  return db.insert(statements).select(
    sql`select ${id}, ${tokenHash}, ${decision}, ${reader}, ${fileId}, ${userId}, ${reportId}, ${about}, ${reason},
      ${at.getTime()}, null where ${condition}`,
  );
}

/** Keeps a decision together with the mail about it. */
export async function saveStatement(db: Database, row: NewStatement, mail: DueMail): Promise<void> {
  const always = sql`true`;
  await db.batch([statementInsert(db, row, always), outboxInsert(db, mail, always, row.at.getTime())]);
}

/** A decision as the person sees it who has the mail's link, and where mails about it go. */
export interface FoundStatement extends StatementRow {
  /** The reader's address; null once the account or the report is gone. */
  email: string | null;
  locale: Locale;
}

/** @param now epoch milliseconds @returns null for an unknown token, and for one that is older than six months */
export function findStatement(db: Database, tokenHash: string, now: number): Promise<FoundStatement | null> {
  return find(db, and(eq(statements.tokenHash, tokenHash), gt(statements.at, new Date(now - OBJECTION_MS))));
}

export function findStatementById(db: Database, id: string): Promise<FoundStatement | null> {
  return find(db, eq(statements.id, id));
}

async function find(db: Database, condition: SQL | undefined): Promise<FoundStatement | null> {
  const [row] = await db
    .select({
      statement: statements,
      owner: users.email,
      ownerLocale: users.locale,
      reporter: fileReports.email,
      reporterLocale: fileReports.locale,
    })
    .from(statements)
    .leftJoin(users, and(eq(users.id, statements.userId), isNull(users.deletedAt)))
    .leftJoin(fileReports, eq(fileReports.id, statements.reportId))
    .where(condition)
    .limit(1);
  if (!row) return null;
  const isOwner = row.statement.reader === "owner";
  const email = isOwner ? row.owner : row.reporter;
  return {
    ...row.statement,
    email: email || null,
    locale: (isOwner ? row.ownerLocale : row.reporterLocale) ?? LOCALES[0],
  };
}

/**
 * Notes an objection and opens its case, in one transaction.
 * @param now epoch milliseconds
 */
export async function object(
  db: Database,
  { id, fileId, userId }: StatementRow,
  detail: CaseDetail,
  now: number,
): Promise<void> {
  await db.batch([
    caseUpsert(db, { kind: "objection", fileId, userId, detail }, now),
    db
      .update(statements)
      .set({ objectedAt: new Date(now) })
      .where(eq(statements.id, id)),
  ]);
}
