import { PRODUCT_NAME, PRODUCT_TAGLINE } from "./brand.ts";
import { fillFacts } from "./text-facts.ts";
import type { SitePage } from "./site-pages.ts";
import { parseStructuredData, structuredDataOf, type JsonObject, type Question } from "./structured-data.ts";
import type { PublicSeo } from "./wire/content.ts";

/** 1200 × 630 pixels. */
const DEFAULT_IMAGE_PATH = "/og.png";

const DEFAULT_DESCRIPTION = fillFacts(
  "Upload a file or a whole folder, share the link, and choose when it expires. Files up to {free.fileSize} for free, {professional.fileSize} on Professional, {ultimate.fileSize} on Ultimate.",
);

interface Card {
  title: string;
  description: string;
  image: string;
}

/** The metadata of a page's head. URLs are absolute. */
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

/** Blank fields of the SEO record get defaults. `origin` is the base of relative URLs. */
export function headOf(page: SitePage, seo: PublicSeo | null, origin: string, questions: readonly Question[]): Head {
  const title = seo?.title ?? defaultTitle(page);
  const description = seo?.description ?? DEFAULT_DESCRIPTION;
  const absolute = (address: string) => new URL(address, origin).href;
  const canonical = absolute(seo?.canonicalUrl ?? page.path);
  const image = absolute(seo?.ogImage ?? DEFAULT_IMAGE_PATH);
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
      image: seo?.twitterImage ? absolute(seo.twitterImage) : image,
    },
    structuredData:
      parseStructuredData(seo?.structuredData ?? null) ??
      structuredDataOf(page, { title, description, url: absolute(page.path), origin, questions }),
  };
}

function defaultTitle({ path, name }: SitePage): string {
  return path === "/" ? `${PRODUCT_NAME} · ${PRODUCT_TAGLINE}` : `${name} · ${PRODUCT_NAME}`;
}
