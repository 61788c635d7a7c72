import { sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";

export const seoContent = sqliteTable(
  "seo_content",
  {
    id: id(),
    /** A path such as / or /about. */
    page: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    /** Comma-separated keywords. */
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
    /** Markdown or HTML. The server sanitises the text each time it serves the page. */
    content: text().notNull(),
    lastUpdatedBy: text().notNull().default("admin"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("page_content_slug").on(table.slug)],
);
