import type { EntryContext } from "@remix-run/cloudflare";
import type { DownloadView } from "#worker/page-types.ts";

const LINK_PAGE = "routes/download.$downloadId";

/** Whether the page shows an encrypted link. Other pages do without the hashes of their scripts, which take 4 KB. */
export function isSealedPage({ staticHandlerContext }: Pick<EntryContext, "staticHandlerContext">): boolean {
  const loaded = staticHandlerContext.loaderData[LINK_PAGE] as { view: DownloadView | null } | undefined;
  const view = loaded?.view;
  if (view?.kind === "locked") return view.seal !== undefined;
  return view?.kind === "file" && view.info.seal !== undefined;
}
