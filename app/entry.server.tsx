import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import release from "#build/release.js";
import { DocumentContext } from "./shell/document.ts";
import { EARLY_SCRIPT } from "./shell/early.server.ts";

/** Renders complete pages, because parts that React streams later would need scripts to get to their place. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, requestId, logError, failure }: AppLoadContext,
): Promise<Response> {
  let responseStatus = status;
  const importMap = isSealedPage(remixContext) ? release.importMap : undefined;
  const page = (
    <DocumentContext.Provider
      value={{ nonce, requestId, failure: failure() ?? undefined, importMap, earlyScript: EARLY_SCRIPT }}
    >
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </DocumentContext.Provider>
  );
  const body = await renderToReadableStream(page, {
    nonce,
    progressiveChunkSize: Infinity,
    signal: request.signal,
    onError(error: unknown) {
      responseStatus = 500;
      logError("page.render_failed", error);
    },
  });
  await body.allReady;
  headers.set("content-type", "text/html; charset=utf-8");
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  const response = new Response(body, { headers, status: responseStatus });
  return importMap === undefined ? response : withPreloadHashes(response, importMap);
}

/** Logs every error of a loader except Responses, unless the request was aborted. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted) context.logError("page.failed", error);
}

/** Whether the page shows a sealed link. Other pages leave out the script hashes, which take 4 KB. */
function isSealedPage({ staticHandlerContext }: EntryContext): boolean {
  const loaded: unknown = staticHandlerContext.loaderData["routes/download.$downloadId"];
  return typeof loaded === "object" && loaded !== null && "kind" in loaded && loaded.kind === "sealed";
}

/**
 * The part of the Workers runtime's class that this file uses. The pages are compiled with browser types, which lack
 * this class.
 */
declare class HTMLRewriter {
  on(selector: string, handlers: { element(element: Pick<Element, "getAttribute" | "setAttribute">): void }): this;
  transform(response: Response): Response;
}

/**
 * Gives each `<link rel="modulepreload">` its script's hash from the import map. Browsers preload before they read the
 * import map, and fetch a script again that was preloaded without its hash. @param importMap JSON, as in
 * build/release.js
 */
function withPreloadHashes(page: Response, importMap: string): Response {
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
