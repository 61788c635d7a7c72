import * as z from "zod/mini";
import { messageName, type SchemaMessages } from "../field-messages.ts";
import { requiredText } from "./checks.ts";

export const PAGE_TEXT_MAX_LENGTH = 50_000;

/** Blank text becomes null. */
const optionalText = (tooLong: SchemaMessages["recordFields"], max: number) =>
  z._default(z.nullable(z.pipe(z.string().check(z.trim(), z.maxLength(max, tooLong)), blankIsNull())), null);
const blankIsNull = () => z.transform((text: string) => (text === "" ? null : text));

const isAddress = (text: string | null) => text === null || /^(\/(?!\/)|https?:\/\/)\S*$/i.test(text);
const optionalAddress = (name: "ogImage" | "twitterImage" | "canonicalUrl") =>
  optionalText(messageName(`${name}Long`), 2048).check(z.refine(isAddress, messageName(`${name}Wrong`)));

function isJson(text: string | null): boolean {
  if (text === null) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

export const seoRequest = z.object({
  page: z
    .string(messageName("pagePathMissing"))
    .check(
      z.trim(),
      z.maxLength(200, messageName("pagePathLong")),
      z.regex(/^\/[^\s?#]*$/, messageName("pagePathWrong")),
    ),
  title: requiredText("titleMissing", 200, "titleLong"),
  description: requiredText("descriptionMissing", 500, "descriptionLong"),
  keywords: requiredText("keywordsMissing", 500, "keywordsLong"),
  ogTitle: optionalText("ogTitleLong", 200),
  ogDescription: optionalText("ogDescriptionLong", 500),
  ogImage: optionalAddress("ogImage"),
  twitterTitle: optionalText("twitterTitleLong", 200),
  twitterDescription: optionalText("twitterDescriptionLong", 500),
  twitterImage: optionalAddress("twitterImage"),
  structuredData: optionalText("structuredDataLong", 20_000).check(
    z.refine(isJson, messageName("structuredDataWrong")),
  ),
  canonicalUrl: optionalAddress("canonicalUrl"),
});
export type SeoRequest = z.infer<typeof seoRequest>;

export const pageContentRequest = z.object({
  title: requiredText("titleMissing", 200, "titleLong"),
  slug: z
    .string(messageName("slugMissing"))
    .check(
      z.trim(),
      z.maxLength(100, messageName("slugLong")),
      z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, messageName("slugWrong")),
    ),
  content: z.string(messageName("contentMissing")).check(
    z.maxLength(PAGE_TEXT_MAX_LENGTH, messageName("contentLong")),
    z.refine((text) => text.trim() !== "", messageName("contentMissing")),
  ),
});
export type PageContentRequest = z.infer<typeof pageContentRequest>;

export const contentPreviewRequest = z.object({ content: pageContentRequest.shape.content });

export interface PublicContent {
  title: string;
  /** Sanitized HTML. */
  content: string;
  updatedAt: string;
}

export interface PublicSeo extends SeoRequest {
  updatedAt: string;
}
