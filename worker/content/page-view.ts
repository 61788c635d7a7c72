import { findSitePage } from "#domain/site-pages.ts";
import type { Services } from "../services.ts";
import { findPageWithSeo, findSeo } from "../db/content.ts";
import { logError } from "../log.ts";
import type { PageView } from "../pages/page-types.ts";
import { toPublicContent } from "./pages.ts";
import { toPublicSeo } from "./seo.ts";

const SLUGS = new Map([
  ["/terms", "terms"],
  ["/privacy", "privacy"],
  ["/about", "about"],
]);

/** At most one query. Does not throw: on an error, `failed` is true. */
export async function readPageView(services: Services, pathname: string): Promise<PageView> {
  const page = findSitePage(pathname);
  if (!page) return { seo: null, content: null, failed: false };
  const slug = SLUGS.get(page.path);
  try {
    const { seo, content } = slug
      ? await findPageWithSeo(services.db, slug, page.path)
      : { seo: await findSeo(services.db, page.path), content: null };
    return {
      seo: seo && toPublicSeo(services, seo),
      content: content && (await toPublicContent(services, content)),
      failed: false,
    };
  } catch (error) {
    logError("page.content_failed", error, { page: page.path });
    return { seo: null, content: null, failed: true };
  }
}
