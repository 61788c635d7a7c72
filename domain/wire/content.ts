import * as z from "zod/mini";
import { says } from "../field-messages.ts";

/** What the contact form takes (specification 2 section 5). The upper bounds of name and subject are ours. */
const CONTACT_EMAIL_WRONG = says("emailWrong");
const contactText = (least: string, most: string, min: number, max: number) =>
  z.string(least).check(z.trim(), z.minLength(min, least), z.maxLength(max, most));

/** At most so many characters a message. */
export const CONTACT_MESSAGE_MAX_LENGTH = 1000;

export const contactRequest = z.object({
  name: contactText(says("nameShort"), says("nameLong"), 2, 100),
  email: z
    .string(CONTACT_EMAIL_WRONG)
    .check(z.trim(), z.maxLength(254, CONTACT_EMAIL_WRONG), z.email(CONTACT_EMAIL_WRONG)),
  subject: contactText(says("subjectShort"), says("subjectLong"), 3, 200),
  message: contactText(says("messageShort"), says("messageLong"), 10, CONTACT_MESSAGE_MAX_LENGTH),
});
export type ContactRequest = z.infer<typeof contactRequest>;

/** The address that a test mail goes to. */
export const testEmailRequest = z.object({
  email: z
    .string(says("emailInvalid"))
    .check(z.trim(), z.maxLength(254, says("emailInvalid")), z.email(says("emailInvalid"))),
});

/** A text that has to be there, and one that may be left blank: blank is null (specification 2 section 3). */
const needed = (what: string, max: number, missing = `${what} is required`) =>
  z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(max, `${what} is too long`));
const optionalText = (what: string, max: number) =>
  z._default(
    z.nullable(z.pipe(z.string().check(z.trim(), z.maxLength(max, `${what} is too long`)), blankIsNull())),
    null,
  );
const blankIsNull = () => z.transform((text: string) => (text === "" ? null : text));

const isAddress = (text: string | null) => text === null || /^(\/(?!\/)|https?:\/\/)\S*$/i.test(text);
const optionalAddress = (what: string) =>
  optionalText(what, 2048).check(z.refine(isAddress, `${what} must begin with https://, http:// or /`));

function isJson(text: string | null): boolean {
  if (text === null) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** An SEO record as the back office sends it (specification 2 sections 3 and 5). */
export const seoRequest = z.object({
  page: z
    .string("Page path is required")
    .check(z.trim(), z.maxLength(200, "Page path is too long"), z.regex(/^\/[^\s?#]*$/, "The page path begins with /")),
  title: needed("Title", 200),
  description: needed("Description", 500),
  keywords: needed("Keywords", 500, "Keywords are required"),
  ogTitle: optionalText("Open Graph title", 200),
  ogDescription: optionalText("Open Graph description", 500),
  ogImage: optionalAddress("Open Graph image"),
  twitterTitle: optionalText("Twitter title", 200),
  twitterDescription: optionalText("Twitter description", 500),
  twitterImage: optionalAddress("Twitter image"),
  structuredData: optionalText("Structured data", 20_000).check(
    z.refine(isJson, "Structured data must be valid JSON: an object or a list"),
  ),
  canonicalUrl: optionalAddress("Canonical URL"),
});
export type SeoRequest = z.infer<typeof seoRequest>;

/** A page's text as the back office sends it. Who changed it is known without being told. */
export const pageContentRequest = z.object({
  title: needed("Title", 200),
  slug: z
    .string("Slug is required")
    .check(
      z.trim(),
      z.maxLength(100, "Slug is too long"),
      z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "The slug is made of small letters, digits and single hyphens"),
    ),
  content: z.string("Content is required").check(
    z.maxLength(50_000, "Content cannot exceed 50,000 characters"),
    z.refine((text) => text.trim() !== "", "Content is required"),
  ),
});
export type PageContentRequest = z.infer<typeof pageContentRequest>;

/** A text that is still being written: how would readers see it? */
export const contentPreviewRequest = z.object({ content: pageContentRequest.shape.content });

/** A public page's text: safe HTML. */
export interface PublicContent {
  title: string;
  content: string;
  updatedAt: string;
}

/** What a page's head says. */
export interface PublicSeo extends SeoRequest {
  updatedAt: string;
}
