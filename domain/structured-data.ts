import { PRODUCT_NAME } from "./brand.ts";
import { PLANS } from "./plans.ts";
import type { SitePage } from "./site-pages.ts";

type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
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
  /** For a page of type FAQPage. */
  questions: readonly Question[];
}

/** Builds JSON-LD for a page whose SEO record has none. Contains no invented data such as ratings. */
export function structuredDataOf(
  page: SitePage,
  { title, description, url, origin, questions }: PageDescription,
): JsonObject {
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

/** A list becomes the node's `@graph`. Null when there is no data or it is not JSON. */
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
