import { AppError } from "#domain/errors.ts";
import type { AdminViewer, PublicSeo, SeoRecord, SeoRequest } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { deleteRecord, findSeo, insertSeo, listSeo, recordExists, updateSeo, type SeoRow } from "../db/content.ts";
import { withFacts } from "./text-facts.ts";

/** @param name "home", or the page's path without its slash @throws AppError NOT_FOUND */
export async function getPublicSeo(services: Services, name: string): Promise<PublicSeo> {
  const row = await findSeo(services.db, name === "home" ? "/" : `/${name}`);
  if (!row) throw new AppError("NOT_FOUND");
  return toPublicSeo(services, row);
}

/** Fills in facts such as `{contactEmail}`. Facts contain no quotation marks, so `structuredData` stays valid JSON. */
export function toPublicSeo({ settings }: Services, row: SeoRow): PublicSeo {
  const fill = <Text extends string | null>(text: Text) => (text === null ? text : withFacts(text, settings)) as Text;
  return {
    page: row.page,
    title: fill(row.title),
    description: fill(row.description),
    keywords: fill(row.keywords),
    ogTitle: fill(row.ogTitle),
    ogDescription: fill(row.ogDescription),
    ogImage: fill(row.ogImage),
    twitterTitle: fill(row.twitterTitle),
    twitterDescription: fill(row.twitterDescription),
    twitterImage: fill(row.twitterImage),
    structuredData: fill(row.structuredData),
    canonicalUrl: fill(row.canonicalUrl),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function listSeoContent({ db }: Services): Promise<SeoRecord[]> {
  return (await listSeo(db)).map(toRecord);
}

function toRecord({ createdAt, updatedAt, ...row }: SeoRow): SeoRecord {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** @throws AppError SEO_PAGE_TAKEN */
export async function createSeo(
  { db }: Services,
  admin: AdminViewer,
  seo: SeoRequest,
  now: number,
): Promise<SeoRecord> {
  const id = crypto.randomUUID();
  const row = await insertSeo(db, seo, { admin, action: "seo.create", target: id, details: seo.page, at: now });
  if (!row) throw new AppError("SEO_PAGE_TAKEN");
  return toRecord(row);
}

/** @throws AppError NOT_FOUND, SEO_PAGE_TAKEN */
export async function changeSeo(
  { db }: Services,
  admin: AdminViewer,
  id: string,
  seo: SeoRequest,
  now: number,
): Promise<SeoRecord> {
  const row = await updateSeo(db, id, seo, { admin, action: "seo.update", target: id, details: seo.page, at: now });
  if (row) return toRecord(row);
  throw new AppError((await recordExists(db, "seo", id)) ? "SEO_PAGE_TAKEN" : "NOT_FOUND");
}

/** @throws AppError NOT_FOUND */
export async function removeSeo({ db }: Services, admin: AdminViewer, id: string, now: number): Promise<void> {
  const entry = { admin, action: "seo.delete", target: id, details: "", at: now } as const;
  if (!(await deleteRecord(db, "seo", entry))) throw new AppError("NOT_FOUND");
}
