import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "./columns.ts";

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

export const seoContent = sqliteTable(
  "seo_content",
  {
    id: id(),
    /** A path such as / or /about. */
    page: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    /** Comma-separated. */
    keywords: text().notNull(),
    ogTitle: text(),
    ogDescription: text(),
    ogImage: text(),
    twitterTitle: text(),
    twitterDescription: text(),
    twitterImage: text(),
    /** JSON-LD. */
    structuredData: text(),
    canonicalUrl: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("seo_content_page").on(table.page)],
);

export const pageContent = sqliteTable(
  "page_content",
  {
    id: id(),
    title: text().notNull(),
    slug: text().notNull(),
    /** Markdown or HTML, sanitised when it is served. */
    content: text().notNull(),
    lastUpdatedBy: text().notNull().default("admin"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("page_content_slug").on(table.slug)],
);
