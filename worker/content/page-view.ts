import { findSitePage } from "#domain/site-pages.ts";
import type { Services } from "../services.ts";
import { findPageWithSeo, findSeo } from "../db/content.ts";
import { logError } from "../log.ts";
import type { PageView } from "../pages/page-types.ts";
import { publish } from "./pages.ts";
import { publishSeo } from "./seo.ts";

/** The pages whose text is a row: path to slug. */
const CONTENT_PAGES = new Map([
  ["/terms", "terms"],
  ["/privacy", "privacy"],
  ["/about", "about"],
]);

/**
 * Reads what a public page shows and what its head says, in one round trip at most. A page can do without, so a fault
 * is logged and said, not thrown.
 */
export async function readPageView(services: Services, pathname: string): Promise<PageView> {
  const page = findSitePage(pathname);
  if (!page) return { seo: null, content: null, failed: false };
  const slug = CONTENT_PAGES.get(page.path);
  try {
    const { seo, content } = slug
      ? await findPageWithSeo(services.db, slug, page.path)
      : { seo: await findSeo(services.db, page.path), content: null };
    return {
      seo: seo && publishSeo(services, seo),
      content: content && (await publish(services, content)),
      failed: false,
    };
  } catch (error) {
    logError("page.content_failed", error, { page: page.path });
    return { seo: null, content: null, failed: true };
  }
}
