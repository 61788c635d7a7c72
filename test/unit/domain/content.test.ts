import { describe, expect, it } from "vitest";
import { frequentQuestions } from "#app/features/content/faq.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { headOf, parseStructuredData } from "#domain/page-head.ts";
import { findSitePage, SITE_PAGES } from "#domain/site-pages.ts";
import { FACTS, fillFacts } from "#domain/text-facts.ts";
import { contactRequest, pageContentRequest, seoRequest, testEmailRequest, type PublicSeo } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";

const MESSAGE = { name: "Ada", email: "ada@example.com", subject: "Hello", message: "A message of some length." };
const PAGE = { title: "Terms", slug: "terms", content: "Some text." };
const BLANK = {
  ogTitle: null,
  ogDescription: null,
  ogImage: null,
  twitterTitle: null,
  twitterDescription: null,
  twitterImage: null,
  structuredData: null,
  canonicalUrl: null,
};
const SEO = { page: "/about", title: "About", description: "What it is.", keywords: "a, b", ...BLANK };
const ORIGIN = "https://files.example.com";

const FAQ = frequentQuestions({
  t: translatorFor("en", "faq"),
  tExpiration: translatorFor("en", "expirations"),
  anonymousUploads: false,
});

/** The first validation message; "" for a valid value. */
function firstMessage(
  schema: typeof contactRequest | typeof seoRequest | typeof pageContentRequest | typeof testEmailRequest,
  value: unknown,
): string {
  const result = schema.safeParse(value);
  return result.success ? "" : (result.error.issues[0]?.message ?? "?");
}

describe("a contact message", () => {
  it.each<[string, Partial<typeof MESSAGE>]>([
    ["nameShort", { name: "A" }],
    ["nameShort", { name: " A " }],
    ["emailWrong", { email: "ada" }],
    ["emailWrong", { email: "" }],
    ["emailWrong", { email: `${"a".repeat(250)}@example.com` }],
    ["subjectShort", { subject: "Hi" }],
    ["messageShort", { message: "123456789" }],
    ["messageLong", { message: "x".repeat(1001) }],
    ["", { name: "Al" }],
    ["", { subject: "Hey" }],
    ["", { message: "1234567890" }],
    ["", { message: "x".repeat(1000) }],
  ])("the message is %j for %j [VAL-15, VAL-16, VAL-17, VAL-18, VAL-19]", (message, change) => {
    expect(firstMessage(contactRequest, { ...MESSAGE, ...change })).toBe(message);
  });

  it("without a field gets the same message as with a short one", () => {
    expect(firstMessage(contactRequest, { ...MESSAGE, subject: undefined })).toBe("subjectShort");
  });
});

describe("a test email's address [VAL-26]", () => {
  it.each(["", "nobody", "a@b", "a b@example.com"])("%j is invalid", (email) => {
    expect(firstMessage(testEmailRequest, { email })).toBe("emailInvalid");
  });
});

describe("an SEO record", () => {
  it("has null for blank fields", () => {
    const { page, title, description, keywords } = SEO;
    expect(seoRequest.parse({ page, title, description, keywords, ogTitle: " ", ogImage: "" })).toEqual(SEO);
  });

  it.each([
    "ogTitle",
    "ogDescription",
    "ogImage",
    "twitterTitle",
    "twitterDescription",
    "twitterImage",
    "structuredData",
    "canonicalUrl",
  ])("has null where %s is left blank [ENT-12]", (field) => {
    for (const blank of ["", "  ", null]) expect(seoRequest.parse({ ...SEO, [field]: blank })).toEqual(SEO);
    const { [field]: _left, ...rest } = SEO as Record<string, unknown>;
    expect(seoRequest.parse(rest)).toEqual(SEO);
  });

  it("has keywords with commas between them, and JSON-LD as text [ENT-12]", () => {
    const filled = { ...SEO, keywords: " files, links, 5 GB ", structuredData: '{"@type":"Thing"}' };
    expect(seoRequest.parse(filled)).toMatchObject({
      keywords: "files, links, 5 GB",
      structuredData: '{"@type":"Thing"}',
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["titleMissing", { title: " " }],
    ["descriptionMissing", { description: "" }],
    ["keywordsMissing", { keywords: undefined }],
    ["pagePathWrong", { page: "about" }],
    ["pagePathWrong", { page: "/a b" }],
    ["structuredDataWrong", { structuredData: "{" }],
    ["structuredDataWrong", { structuredData: '"text"' }],
    ["ogImageWrong", { ogImage: "javascript:alert(1)" }],
    ["canonicalUrlWrong", { canonicalUrl: "//evil.example" }],
    ["", { structuredData: '{"@type":"Thing"}', canonicalUrl: "https://example.com/about", ogImage: "/og.png" }],
  ])("the message is %j for %j [SEO-4]", (message, change) => {
    expect(firstMessage(seoRequest, { ...SEO, ...change })).toBe(message);
  });
});

describe("a page's text", () => {
  it.each<[string, Record<string, unknown>]>([
    ["titleMissing", { title: "" }],
    ["slugWrong", { slug: "Terms!" }],
    ["contentMissing", { content: " \n " }],
    ["", { lastUpdatedBy: "admin" }],
  ])("the message is %j for %j", (message, change) => {
    expect(firstMessage(pageContentRequest, { ...PAGE, ...change })).toBe(message);
  });
});

describe("facts", () => {
  it("replace the placeholders of a text, and other braces stay unchanged", () => {
    expect(fillFacts("{product} takes {free.fileSize} and {ultimate.fileSize}.")).toBe(
      `${PRODUCT_NAME} takes 500 MB and 50 GB.`,
    );
    expect(fillFacts('{"a": {"b": 1}} {unknown} { product } {}')).toBe('{"a": {"b": 1}} {unknown} { product } {}');
    expect(fillFacts("{contactEmail}", { contactEmail: "a@example.com" })).toBe("a@example.com");
  });

  it("of the plans come from the plans' table [TRF-28]", () => {
    expect(FACTS).toMatchObject({
      "free.name": "Free",
      "professional.name": "Professional",
      "ultimate.name": "Ultimate",
      "free.fileSize": "500 MB",
      "professional.fileSize": "10 GB",
      "ultimate.fileSize": "50 GB",
      "free.longestExpiry": "3 days",
      "professional.longestExpiry": "60 days",
      "ultimate.longestExpiry": "forever",
      "ultimate.monthTransfers": "2,000",
      "free.entries": "1,000",
      "professional.entries": "10,000",
    });
  });
});

describe("the FAQ", () => {
  it("has ten questions, states that an account is needed, and names each plan's size, files in a transfer and expiry [PAGE-10, PAGE-11, PAGE-12]", () => {
    const text = FAQ.map(({ question, answer }) => `${question} ${answer}`).join("\n");
    expect(FAQ).toHaveLength(10);
    expect(text).toMatch(/Do I need an account to upload\? Yes\./);
    for (const subject of ["password", "end-to-end encryption", "curl", "command line", "webhooks"]) {
      expect(text).toContain(subject);
    }
    const facts = [
      "500 MB",
      "10 GB",
      "50 GB",
      "1,000 files",
      "10,000 on Professional",
      "3 days",
      "60 days",
      "forever",
      "Free has 1 open at a time, Professional 20, and Ultimate 200",
    ];
    for (const fact of facts) expect(text).toContain(fact);
    for (const plan of ["Free", "Professional", "Ultimate"]) expect(text).toContain(plan);
    expect(text).not.toMatch(/anonymous|\b50 MB\b|7 days|3 months|1 year/i);
  });
});

describe("the head of a page", () => {
  const about = findSitePage("/about") ?? expect.unreachable();
  const seo: PublicSeo = { ...SEO, updatedAt: "2026-01-01T00:00:00.000Z" };

  it("falls back from Twitter to Open Graph to the page itself", () => {
    expect(headOf(about, seo, ORIGIN, FAQ)).toMatchObject({
      title: "About",
      canonical: `${ORIGIN}/about`,
      openGraph: { title: "About", description: "What it is.", image: `${ORIGIN}/og.png` },
      twitter: { title: "About", description: "What it is.", image: `${ORIGIN}/og.png` },
      structuredData: { "@type": "AboutPage", name: "About", url: `${ORIGIN}/about` },
    });
    const graph = { ...seo, ogTitle: "Graph", ogImage: "/a.png", twitterDescription: "Bird" };
    expect(headOf(about, { ...graph, canonicalUrl: "https://example.com/x" }, ORIGIN, FAQ)).toMatchObject({
      canonical: "https://example.com/x",
      openGraph: { title: "Graph", image: `${ORIGIN}/a.png` },
      twitter: { title: "Graph", description: "Bird", image: `${ORIGIN}/a.png` },
    });
  });

  it("has defaults without a record, with each plan's file size and no invented rating [SEO-3]", () => {
    for (const page of SITE_PAGES) {
      const head = headOf(page, null, ORIGIN, FAQ);
      expect(head.title).toContain(PRODUCT_NAME);
      for (const size of ["500 MB", "10 GB", "50 GB"]) expect(head.description).toContain(size);
      expect(JSON.stringify(head)).not.toMatch(/aggregateRating|ratingValue|review|4\.8|1024/i);
    }
    const features = findSitePage("/features/") ?? expect.unreachable();
    expect(headOf(features, null, ORIGIN, FAQ).structuredData.mainEntity).toHaveLength(10);
  });

  it("uses the record's structured data if it is JSON [SEO-4]", () => {
    const own = (structuredData: string) => headOf(about, { ...seo, structuredData }, ORIGIN, FAQ).structuredData;
    expect(own('{"@type":"Thing"}')).toEqual({ "@type": "Thing" });
    expect(own("{")).toMatchObject({ "@type": "AboutPage" });
    expect(parseStructuredData('[{"@type":"Thing"}]')).toMatchObject({ "@graph": [{ "@type": "Thing" }] });
    expect(parseStructuredData("null")).toBeNull();
  });
});
