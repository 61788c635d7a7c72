import type { RecordFieldMessage } from "#domain/field-messages.ts";
import { PAGE_TEXT_MAX_LENGTH } from "#domain/wire.ts";

/** Validation messages of SEO records and page contents, also sent by the API. */
export const recordFields = {
  pagePathMissing: "Page path is required",
  pagePathLong: "Page path is too long",
  pagePathWrong: "Page path must begin with /",
  titleMissing: "Title is required",
  titleLong: "Title is too long",
  descriptionMissing: "Description is required",
  descriptionLong: "Description is too long",
  keywordsMissing: "Keywords are required",
  keywordsLong: "Keywords are too long",
  ogTitleLong: "Open Graph title is too long",
  ogDescriptionLong: "Open Graph description is too long",
  ogImageLong: "Open Graph image is too long",
  ogImageWrong: "Open Graph image must begin with https://, http:// or /",
  twitterTitleLong: "Twitter title is too long",
  twitterDescriptionLong: "Twitter description is too long",
  twitterImageLong: "Twitter image is too long",
  twitterImageWrong: "Twitter image must begin with https://, http:// or /",
  structuredDataLong: "Structured data is too long",
  structuredDataWrong: "Structured data must be valid JSON: an object or a list",
  canonicalUrlLong: "Canonical URL is too long",
  canonicalUrlWrong: "Canonical URL must begin with https://, http:// or /",
  slugMissing: "Slug is required",
  slugLong: "Slug is too long",
  slugWrong: "Slug must consist of lowercase letters, digits and single hyphens",
  contentMissing: "Content is required",
  contentLong: `Content cannot exceed ${PAGE_TEXT_MAX_LENGTH.toLocaleString("en")} characters`,
} as const satisfies Record<RecordFieldMessage, string>;
