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

/** The part of the Workers runtime's class that is used here. The pages' types are a browser's, which has none. */
declare class HTMLRewriter {
  on(selector: string, handlers: { element(element: Pick<Element, "getAttribute" | "setAttribute">): void }): this;
  transform(response: Response): Response;
}

/**
 * Gives each `<link rel="modulepreload">` the hash that the import map has for its script. Browsers preload before
 * they have read the import map, and fetch a script again that they preloaded without its hash.
 * @param importMap JSON, as of build/release.js
 */
export function withPreloadHashes(page: Response, importMap: string): Response {
  const { integrity } = JSON.parse(importMap) as { integrity: Record<string, string> };
  return new HTMLRewriter()
    .on("link[rel=modulepreload]", {
      element(link) {
        const hash = integrity[link.getAttribute("href") ?? ""];
        if (hash !== undefined) link.setAttribute("integrity", hash);
      },
    })
    .transform(page);
}
