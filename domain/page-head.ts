import { PRODUCT_NAME, PRODUCT_TAGLINE } from "./brand.ts";
import { fillFacts } from "./text-facts.ts";
import type { SitePage } from "./site-pages.ts";
import { parseStructuredData, structuredDataOf, type JsonObject, type Question } from "./structured-data.ts";
import type { PublicSeo } from "./wire/content.ts";

/** The picture of a page that has none of its own: 1200 × 630 pixels. */
export const DEFAULT_IMAGE_PATH = "/og.png";

const DEFAULT_DESCRIPTION = fillFacts(
  "Upload a file, send the link, and it is gone when you said it should be. Files up to {free.fileSize} for free, {professional.fileSize} on Professional, {ultimate.fileSize} on Ultimate.",
);

interface Card {
  title: string;
  description: string;
  image: string;
}

/** All that a listed page's head says. Addresses are whole. */
export interface Head {
  title: string;
  description: string;
  keywords: string;
  canonical: string;
  openGraph: Card;
  twitter: Card;
  /** JSON-LD. */
  structuredData: JsonObject;
}

/**
 * What a page's head says: its SEO record, and sane words for what that leaves blank.
 * @param origin scheme, host and port that relative addresses stand on
 * @param questions what the page of questions answers
 */
export function headOf(page: SitePage, seo: PublicSeo | null, origin: string, questions: readonly Question[]): Head {
  const title = seo?.title ?? defaultTitle(page);
  const description = seo?.description ?? DEFAULT_DESCRIPTION;
  const whole = (address: string) => new URL(address, origin).href;
  const canonical = whole(seo?.canonicalUrl ?? page.path);
  const image = whole(seo?.ogImage ?? DEFAULT_IMAGE_PATH);
  const openGraph = { title: seo?.ogTitle ?? title, description: seo?.ogDescription ?? description, image };
  return {
    title,
    description,
    keywords: seo?.keywords ?? "",
    canonical,
    openGraph,
    twitter: {
      title: seo?.twitterTitle ?? openGraph.title,
      description: seo?.twitterDescription ?? openGraph.description,
      image: seo?.twitterImage ? whole(seo.twitterImage) : image,
    },
    structuredData:
      parseStructuredData(seo?.structuredData ?? null) ??
      structuredDataOf(page, { title, description, url: whole(page.path), origin, questions }),
  };
}

function defaultTitle({ path, name }: SitePage): string {
  return path === "/" ? `${PRODUCT_NAME} · ${PRODUCT_TAGLINE}` : `${name} · ${PRODUCT_NAME}`;
}
