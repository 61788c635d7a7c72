import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { headOf } from "#domain/head.ts";
import { findSitePage } from "#domain/site.ts";
import type { PublicSeo } from "#domain/wire.ts";

interface Described {
  pathname: string;
  /** What the page's SEO record says; null where it has none. */
  seo: PublicSeo | null;
  origin: string;
  /** What is shown in the page's place, if something went wrong. */
  error: unknown;
}

/**
 * A page's head, for every route that writes none of its own. What is not a listed page, or not there, is kept out of
 * search engines.
 */
export function describePage({ pathname, seo, origin, error }: Described): MetaDescriptor[] {
  const page = error ? null : findSitePage(pathname);
  if (!page) {
    const missing = isRouteErrorResponse(error) && error.status === 404;
    const title = missing ? `Page Not Found · ${PRODUCT_NAME}` : `${PRODUCT_NAME} · ${PRODUCT_TAGLINE}`;
    return [{ title }, { name: "robots", content: "noindex" }];
  }
  const head = headOf(page, seo, origin);
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
    // Remix escapes what could end the script.
    { "script:ld+json": head.structuredData },
  ];
}
