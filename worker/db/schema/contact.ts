import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id } from "./columns.ts";

/** Each row is a contact message. */
export const contactSubmissions = sqliteTable(
  "contact_submissions",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    isRead: flag(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
  },
  (table) => [
    index("contact_submissions_newest").on(table.createdAt),
    index("contact_submissions_email").on(sql`${table.email} collate nocase`),
    index("contact_submissions_unread")
      .on(table.createdAt)
      .where(sql`${table.isRead} = 0`),
    index("contact_submissions_whole_address")
      .on(table.createdAt)
      .where(sql`instr(${table.ipAddress}, '/') = 0`),
  ],
);
