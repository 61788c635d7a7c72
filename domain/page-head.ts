import { PRODUCT_NAME, PRODUCT_TAGLINE } from "./brand.ts";
import { PLANS } from "./plans.ts";
import type { SitePage } from "./site-pages.ts";
import { fillFacts } from "./text-facts.ts";
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
  structuredData: JsonObject;
}

/** Blank fields of the SEO record get defaults. @param origin the base of relative URLs */
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

type Json = string | number | boolean | null | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

export interface Question {
  question: string;
  answer: string;
}

interface PageDescription {
  title: string;
  description: string;
  url: string;
  origin: string;
  /** The questions of a page of type FAQPage. */
  questions: readonly Question[];
}

/** Builds JSON-LD for a page whose SEO record has none. The result has no invented data such as ratings. */
function structuredDataOf(page: SitePage, { title, description, url, origin, questions }: PageDescription): JsonObject {
  const site = { "@type": "WebSite", name: PRODUCT_NAME, url: `${origin}/` };
  return {
    "@context": "https://schema.org",
    "@type": page.kind,
    name: page.kind === "WebApplication" ? PRODUCT_NAME : title,
    description,
    url,
    ...(page.kind === "WebApplication" ? applicationFields() : { isPartOf: site }),
    ...(page.kind === "FAQPage" ? { mainEntity: questions.map(questionNode) } : {}),
  };
}

function applicationFields(): JsonObject {
  return {
    applicationCategory: "UtilitiesApplication",
    operatingSystem: "Any",
    browserRequirements: "JavaScript",
    offers: PLANS.map(({ name, priceUsdCents }) => ({
      "@type": "Offer",
      name,
      price: (priceUsdCents / 100).toFixed(2),
      priceCurrency: "USD",
    })),
  };
}

function questionNode({ question, answer }: Question): JsonObject {
  return { "@type": "Question", name: question, acceptedAnswer: { "@type": "Answer", text: answer } };
}

/** A JSON list becomes the `@graph` of a node. @returns null without text, and for text that is not JSON */
export function parseStructuredData(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) return { "@context": "https://schema.org", "@graph": value };
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
