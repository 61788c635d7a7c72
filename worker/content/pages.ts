import { AppError } from "#domain/errors.ts";
import type { AdminViewer, PageContentRecord, PageContentRequest, PublicContent } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import {
  deleteRecord,
  findPageContent,
  insertPageContent,
  listPageContent,
  recordExists,
  updatePageContent,
  type PageContentRow,
} from "../db/content.ts";
import { withFacts } from "./text-facts.ts";
import { renderContent } from "./render.ts";

/** @throws AppError NOT_FOUND */
export async function getPublicContent(services: Services, slug: string): Promise<PublicContent> {
  const row = await findPageContent(services.db, slug);
  if (!row) throw new AppError("NOT_FOUND");
  return toPublicContent(services, row);
}

export async function toPublicContent({ settings }: Services, row: PageContentRow): Promise<PublicContent> {
  return {
    title: withFacts(row.title, settings),
    content: await renderContent(withFacts(row.content, settings)),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function previewContent({ settings }: Services, content: string): Promise<{ content: string }> {
  return { content: await renderContent(withFacts(content, settings)) };
}

export async function listPages({ db }: Services): Promise<PageContentRecord[]> {
  return (await listPageContent(db)).map(toRecord);
}

function toRecord({ createdAt, updatedAt, ...row }: PageContentRow): PageContentRecord {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** @throws AppError SLUG_TAKEN */
export async function createPage(
  { db }: Services,
  admin: AdminViewer,
  page: PageContentRequest,
  now: number,
): Promise<PageContentRecord> {
  const id = crypto.randomUUID();
  const entry = { admin, action: "content.create", target: id, details: page.slug, at: now } as const;
  const row = await insertPageContent(db, page, entry);
  if (!row) throw new AppError("SLUG_TAKEN");
  return toRecord(row);
}

/** @throws AppError NOT_FOUND, SLUG_TAKEN */
export async function updatePage(
  { db }: Services,
  admin: AdminViewer,
  id: string,
  page: PageContentRequest,
  now: number,
): Promise<PageContentRecord> {
  const entry = { admin, action: "content.update", target: id, details: page.slug, at: now } as const;
  const row = await updatePageContent(db, id, page, entry);
  if (row) return toRecord(row);
  throw new AppError((await recordExists(db, "content", id)) ? "SLUG_TAKEN" : "NOT_FOUND");
}

/** @throws AppError NOT_FOUND */
export async function deletePage({ db }: Services, admin: AdminViewer, id: string, now: number): Promise<void> {
  const entry = { admin, action: "content.delete", target: id, details: "", at: now } as const;
  if (!(await deleteRecord(db, "content", entry))) throw new AppError("NOT_FOUND");
}
