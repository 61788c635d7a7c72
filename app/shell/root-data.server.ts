import type { LoaderFunctionArgs, MetaDescriptor } from "@remix-run/cloudflare";
import { frequentQuestions } from "#app/features/content/faq.ts";
import { loadMessages, translatorFor } from "#app/lib/i18n/messages.server.ts";
import { themeFromCookies } from "#app/lib/preference-cookie.ts";
import type { RootData } from "#app/lib/root-data.ts";
import release from "#build/release.js";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { LOCALES } from "#domain/locale.ts";
import { headOf } from "#domain/page-head.ts";
import { isLinkPage, isRequestPage, findSitePage } from "#domain/site-pages.ts";
import type { PublicSeo } from "#domain/wire.ts";

export async function loadRootData({ context, request }: LoaderFunctionArgs): Promise<RootData> {
  const { pathname } = new URL(request.url);
  const [user, { seo }] = await Promise.all([
    // If this read fails, the root must not fail: its error page needs root data.
    context.currentUser().catch(() => null),
    context.readPage(pathname),
  ]);
  const { origin, anonymousUploads } = context;
  const head = headFor({ pathname, seo, origin, anonymousUploads });
  const theme = themeFromCookies(request.headers.get("cookie"));
  const tabs = /^\/(account|dashboard)(\/|$)/i.test(pathname) ? (["tabs"] as const) : [];
  const messages = loadMessages(request, "common", "signIn", "fields", ...tabs);
  // A link's page sends nothing to storage, and must name no other site.
  const storageOrigins = isLinkPage(pathname) && !isRequestPage(pathname) ? [] : context.storageOrigins;
  return {
    user,
    head,
    theme,
    messages,
    origin,
    storageOrigins,
    anonymousUploads,
    release: release.id,
    now: Date.now(),
  };
}

/** SEO records have no language, so the head of every page is in English. */
const HEAD_LOCALE = LOCALES[0];

interface HeadOptions {
  pathname: string;
  /** Null for a page without an SEO record. */
  seo: PublicSeo | null;
  origin: string;
  anonymousUploads: boolean;
}

/** @returns null for a page that search engines must not list */
function headFor({ pathname, seo, origin, anonymousUploads }: HeadOptions): MetaDescriptor[] | null {
  const page = findSitePage(pathname);
  if (!page) return null;
  const head = headOf(
    page,
    seo,
    origin,
    frequentQuestions({
      t: translatorFor(HEAD_LOCALE, "faq"),
      tExpiration: translatorFor(HEAD_LOCALE, "expirations"),
      anonymousUploads,
    }),
  );
  return [
    { title: head.title },
    { name: "description", content: head.description },
    ...(head.keywords ? [{ name: "keywords", content: head.keywords }] : []),
    { tagName: "link", rel: "canonical", href: head.canonical },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: PRODUCT_NAME },
    { property: "og:url", content: head.canonical },
    { property: "og:title", content: head.openGraph.title },
    { property: "og:description", content: head.openGraph.description },
    { property: "og:image", content: head.openGraph.image },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: head.twitter.title },
    { name: "twitter:description", content: head.twitter.description },
    { name: "twitter:image", content: head.twitter.image },
    // Remix escapes HTML in structured data.
    { "script:ld+json": head.structuredData },
  ];
}
