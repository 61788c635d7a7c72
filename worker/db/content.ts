import { and, asc, eq, notExists, sql } from "drizzle-orm";
import type { PageContentRequest, SeoRequest } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { pageContent, seoContent } from "./schema.ts";

export type PageContentRow = typeof pageContent.$inferSelect;
export type SeoRow = typeof seoContent.$inferSelect;

const bySlug = (db: Database, slug: string) => db.select().from(pageContent).where(eq(pageContent.slug, slug)).limit(1);
const byPage = (db: Database, page: string) => db.select().from(seoContent).where(eq(seoContent.page, page)).limit(1);

export async function findPageContent(db: Database, slug: string): Promise<PageContentRow | null> {
  const [row] = await bySlug(db, slug);
  return row ?? null;
}

/** @param page a path such as / or /about */
export async function findSeo(db: Database, page: string): Promise<SeoRow | null> {
  const [row] = await byPage(db, page);
  return row ?? null;
}

export async function findPageWithSeo(
  db: Database,
  slug: string,
  page: string,
): Promise<{ content: PageContentRow | null; seo: SeoRow | null }> {
  const [[content], [seo]] = await db.batch([bySlug(db, slug), byPage(db, page)]);
  return { content: content ?? null, seo: seo ?? null };
}

export async function listPageContent(db: Database): Promise<PageContentRow[]> {
  return db.select().from(pageContent).orderBy(asc(pageContent.slug));
}

/** @param entry the audit entry, whose `target` is the new row's id @returns null when the slug is taken */
export async function insertPageContent(
  db: Database,
  page: PageContentRequest,
  entry: AuditEntry,
): Promise<PageContentRow | null> {
  const [[row]] = await db.batch([
    db
      .insert(pageContent)
      .values({ ...page, id: entry.target })
      .onConflictDoNothing()
      .returning(),
    auditEntryInsert(db, entry),
  ]);
  return row ?? null;
}

/** @returns null when the row does not exist or the slug is taken */
export async function updatePageContent(
  db: Database,
  id: string,
  page: PageContentRequest,
  entry: AuditEntry,
): Promise<PageContentRow | null> {
  const duplicate = db
    .select({ one: sql`1` })
    .from(sql`${pageContent} as other`)
    .where(sql`other.slug = ${page.slug} and other.id <> ${id}`);
  const [[row]] = await db.batch([
    db
      .update(pageContent)
      .set(page)
      .where(and(eq(pageContent.id, id), notExists(duplicate)))
      .returning(),
    auditEntryInsert(db, entry),
  ]);
  return row ?? null;
}

export async function listSeo(db: Database): Promise<SeoRow[]> {
  return db.select().from(seoContent).orderBy(asc(seoContent.page));
}

/** @param entry the audit entry, whose `target` is the new row's id @returns null when the page already has a record */
export async function insertSeo(db: Database, seo: SeoRequest, entry: AuditEntry): Promise<SeoRow | null> {
  const [[row]] = await db.batch([
    db
      .insert(seoContent)
      .values({ ...seo, id: entry.target })
      .onConflictDoNothing()
      .returning(),
    auditEntryInsert(db, entry),
  ]);
  return row ?? null;
}

/** @returns null when the row does not exist or the page already has a record */
export async function updateSeo(db: Database, id: string, seo: SeoRequest, entry: AuditEntry): Promise<SeoRow | null> {
  const duplicate = db
    .select({ one: sql`1` })
    .from(sql`${seoContent} as other`)
    .where(sql`other.page = ${seo.page} and other.id <> ${id}`);
  const [[row]] = await db.batch([
    db
      .update(seoContent)
      .set(seo)
      .where(and(eq(seoContent.id, id), notExists(duplicate)))
      .returning(),
    auditEntryInsert(db, entry),
  ]);
  return row ?? null;
}

const TABLES = { content: pageContent, seo: seoContent };
type RecordKind = keyof typeof TABLES;

export async function recordExists(db: Database, kind: RecordKind, id: string): Promise<boolean> {
  return (await db.$count(TABLES[kind], eq(TABLES[kind].id, id))) > 0;
}

/** @param entry the audit entry, whose `target` is the row's id @returns whether the row existed */
export async function deleteRecord(db: Database, kind: RecordKind, entry: AuditEntry): Promise<boolean> {
  const table = TABLES[kind];
  const [{ meta }] = await db.batch([db.delete(table).where(eq(table.id, entry.target)), auditEntryInsert(db, entry)]);
  return meta.changes > 0;
}
