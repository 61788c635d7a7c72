import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import type { RecordFieldMessage } from "../record-field-messages.ts";

/** What the contact form takes (specification 2 section 5). The upper bounds of name and subject are ours. */
const CONTACT_EMAIL_WRONG = messageName("emailWrong");
const contactText = (least: string, most: string, min: number, max: number) =>
  z.string(least).check(z.trim(), z.minLength(min, least), z.maxLength(max, most));

/** At most so many characters a message. */
export const CONTACT_MESSAGE_MAX_LENGTH = 1000;

export const contactRequest = z.object({
  name: contactText(messageName("nameShort"), messageName("nameLong"), 2, 100),
  email: z
    .string(CONTACT_EMAIL_WRONG)
    .check(z.trim(), z.maxLength(254, CONTACT_EMAIL_WRONG), z.email(CONTACT_EMAIL_WRONG)),
  subject: contactText(messageName("subjectShort"), messageName("subjectLong"), 3, 200),
  message: contactText(messageName("messageShort"), messageName("messageLong"), 10, CONTACT_MESSAGE_MAX_LENGTH),
});
export type ContactRequest = z.infer<typeof contactRequest>;

/** The address that a test mail goes to. */
export const testEmailRequest = z.object({
  email: z
    .string(messageName("emailInvalid"))
    .check(z.trim(), z.maxLength(254, messageName("emailInvalid")), z.email(messageName("emailInvalid"))),
});

/** At most so many characters a text. */
export const PAGE_TEXT_MAX_LENGTH = 50_000;

/** A text that has to be there, and one that may be left blank: blank is null (specification 2 section 3). */
const needed = (name: "title" | "description" | "keywords", max: number) =>
  z
    .string(messageName(`${name}Missing`))
    .check(z.trim(), z.minLength(1, messageName(`${name}Missing`)), z.maxLength(max, messageName(`${name}Long`)));
const optionalText = (tooLong: RecordFieldMessage, max: number) =>
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

/** An SEO record as the admin area sends it (specification 2 sections 3 and 5). */
export const seoRequest = z.object({
  page: z
    .string(messageName("pagePathMissing"))
    .check(
      z.trim(),
      z.maxLength(200, messageName("pagePathLong")),
      z.regex(/^\/[^\s?#]*$/, messageName("pagePathWrong")),
    ),
  title: needed("title", 200),
  description: needed("description", 500),
  keywords: needed("keywords", 500),
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

/** A page's text as the admin area sends it. Who changed it is known without being told. */
export const pageContentRequest = z.object({
  title: needed("title", 200),
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
