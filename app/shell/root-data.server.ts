import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import release from "#build/release.js";
import { isLinkPage, isRequestPage } from "#domain/link-pages.ts";
import { themeFromCookies } from "#domain/theme.ts";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import type { RootData } from "#app/lib/root-data.ts";
import { headFor } from "./head.server.ts";

export async function loadRootData({ context, request }: LoaderFunctionArgs): Promise<RootData> {
  const { pathname } = new URL(request.url);
  const [user, { seo }] = await Promise.all([
    // A failed read must not fail the root: its error page needs this data too.
    context.currentUser().catch(() => null),
    context.readPage(pathname),
  ]);
  const { origin, anonymousUploads } = context;
  const head = headFor({ pathname, seo, origin, anonymousUploads });
  const theme = themeFromCookies(request.headers.get("cookie"));
  const messages = loadMessages(request, "common", "signIn", "fields");
  // The page of a link sends nothing to storage, and names no other site.
  const storageOrigin = isLinkPage(pathname) && !isRequestPage(pathname) ? null : context.storageOrigin;
  return { user, head, theme, messages, origin, storageOrigin, anonymousUploads, release: release.id, now: Date.now() };
}
