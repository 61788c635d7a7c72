import type { HTMLRewriter as Rewriter } from "@cloudflare/workers-types";

declare const HTMLRewriter: typeof Rewriter;

/**
 * Gives each `<link rel="modulepreload">` the hash that the import map has for its script. Browsers preload before
 * they have read the import map, and fetch a script again that they preloaded without its hash.
 * @param importMap JSON, as of build/release.js
 */
export function withPreloadHashes(page: Response, importMap: string): Response {
  const { integrity } = JSON.parse(importMap) as { integrity: Record<string, string> };
  const rewriter = new HTMLRewriter().on("link[rel=modulepreload]", {
    element(link) {
      const hash = integrity[link.getAttribute("href") ?? ""];
      if (hash !== undefined) link.setAttribute("integrity", hash);
    },
  });
  return rewriter.transform(page as never) as unknown as Response;
}
