import { AppError } from "#domain/errors.ts";
import type { PageContentRequest, PublicContent } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import {
  deletePageContent,
  findPageContent,
  insertPageContent,
  listPageContent,
  pageContentExists,
  updatePageContent,
  type PageContentRow,
} from "../db/content.ts";
import { withFacts } from "./facts.ts";
import { renderContent } from "./render.ts";

/** A page's text as readers get it. @throws AppError NOT_FOUND */
export async function getPublicContent(services: Services, slug: string): Promise<PublicContent> {
  const row = await findPageContent(services.db, slug);
  if (!row) throw new AppError("NOT_FOUND");
  return publish(services, row);
}

/** Makes a row readable: its facts written out, its text safe HTML. */
export async function publish({ settings }: Services, row: PageContentRow): Promise<PublicContent> {
  return {
    title: withFacts(row.title, settings),
    content: await renderContent(withFacts(row.content, settings)),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Every page's text as it was written, by slug. */
export function listPages({ db }: Services): Promise<PageContentRow[]> {
  return listPageContent(db);
}

/** @throws AppError SLUG_TAKEN */
export async function createPage({ db }: Services, page: PageContentRequest): Promise<PageContentRow> {
  const row = await insertPageContent(db, page);
  if (!row) throw new AppError("SLUG_TAKEN");
  return row;
}

/** @throws AppError NOT_FOUND, SLUG_TAKEN */
export async function updatePage({ db }: Services, id: string, page: PageContentRequest): Promise<PageContentRow> {
  const row = await updatePageContent(db, id, page);
  if (row) return row;
  throw new AppError((await pageContentExists(db, id)) ? "SLUG_TAKEN" : "NOT_FOUND");
}

/** @throws AppError NOT_FOUND */
export async function deletePage({ db }: Services, id: string): Promise<void> {
  if (!(await deletePageContent(db, id))) throw new AppError("NOT_FOUND");
}
