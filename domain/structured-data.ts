import { PRODUCT_NAME } from "./brand.ts";
import { PLANS } from "./plans.ts";
import type { SitePage } from "./site-pages.ts";

export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A question that is often asked. */
export interface Question {
  question: string;
  answer: string;
}

interface Described {
  title: string;
  description: string;
  /** The page's own address. */
  url: string;
  origin: string;
  /** What a page of questions answers. */
  questions: readonly Question[];
}

/** What schema.org's vocabulary can truly say of a page, where its SEO record brings nothing of its own. */
export function structuredDataOf(
  page: SitePage,
  { title, description, url, origin, questions }: Described,
): JsonObject {
  const site = { "@type": "WebSite", name: PRODUCT_NAME, url: `${origin}/` };
  return {
    "@context": "https://schema.org",
    "@type": page.kind,
    name: page.kind === "WebApplication" ? PRODUCT_NAME : title,
    description,
    url,
    ...(page.kind === "WebApplication" ? application() : { isPartOf: site }),
    ...(page.kind === "FAQPage" ? { mainEntity: questions.map(asked) } : {}),
  };
}

function application(): JsonObject {
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

function asked({ question, answer }: Question): JsonObject {
  return { "@type": "Question", name: question, acceptedAnswer: { "@type": "Answer", text: answer } };
}

/**
 * An SEO record's own structured data.
 * @returns a JSON-LD node, a list as one node's graph; null where there is none or it is not JSON
 */
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
