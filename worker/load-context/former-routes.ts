import * as z from "zod/mini";

/** How Remix's list of a release's pages begins, `/assets/manifest-VERSION.js`. */
const LIST_START = "window.__remixManifest=";
const VERSION = /^[\w-]{1,64}$/;

const routes = z.record(z.string(), z.record(z.string(), z.unknown()));
const list = z.object({ routes });

/**
 * Tells a page of a former release where the scripts of other pages are. Remix would tell such a page to load itself
 * anew, which ends a running upload. But the scripts of a former release are kept for a week (decision 054), and its
 * list of pages with them.
 * @param request a request of `/__manifest`
 * @param version the version of this release
 * @param answer returns Remix's own answer to a request
 * @returns null for a page of this release, for a page whose release's files are deleted, and if the page asks for a
 * page that its release did not have
 */
export async function findFormerRoutes(
  request: Request,
  version: string,
  assets: Fetcher,
  answer: (request: Request) => Promise<Response>,
): Promise<Response | null> {
  const url = new URL(request.url);
  const former = url.searchParams.get("version") ?? version;
  if (request.method !== "GET" || former === version || !VERSION.test(former)) return null;
  const kept = await assets.fetch(new URL(`/assets/manifest-${former}.js`, url));
  const text = await kept.text();
  if (!kept.ok || !text.startsWith(LIST_START)) return null;
  const ofFormer = list.parse(JSON.parse(text.slice(LIST_START.length).replace(/;\s*$/, ""))).routes;

  url.searchParams.set("version", version);
  const found = await answer(new Request(url, request));
  if (found.status !== 200) return found;
  const ids = Object.keys(routes.parse(await found.json()));
  if (ids.some((id) => !(id in ofFormer))) return null;
  return Response.json(Object.fromEntries(ids.map((id) => [id, ofFormer[id]])), { headers: found.headers });
}
