import * as z from "zod/mini";
import { fromLatin1 } from "../bytes-as-text.ts";
import { EXPIRATIONS, longestExpirationWithin, type Expiration } from "../expiry.ts";
import { HEADER_NAMES, HEADER_PREFIX } from "../header-names.ts";
import { DAY_MS } from "../units.ts";
import { shareFileRequest } from "./files.ts";
import { linkPassword, maxDownloads } from "./protection.ts";
import { exactEnd, filename, formNumber, notifyAtStart } from "./uploads.ts";

const downloads = z.pipe(formNumber, maxDownloads);

const maxDays = z.pipe(formNumber, z.number().check(z.minimum(1)));

/** A program's choices for its link. `max-days` and `max-downloads` are names that scripts for other services use. */
export const sendChoices = z.object({
  name: z.optional(filename),
  expires: z.optional(z.enum(EXPIRATIONS)),
  expiresAt: z.optional(exactEnd),
  password: z.optional(linkPassword),
  downloads: z.optional(downloads),
  to: z.optional(shareFileRequest.shape.email),
  notify: notifyAtStart,
  "max-days": z.optional(maxDays),
  "max-downloads": z.optional(downloads),
});
export type SendChoices = z.infer<typeof sendChoices>;

const CHOICES = Object.keys(sendChoices.shape) as (keyof SendChoices)[];

/**
 * Collects the choices of a request. A header overrides the query, the query overrides a form's fields.
 * @param headers finds a header by its name @param fields of a form
 * @returns texts, for `sendChoices`
 */
export function collectChoices(
  headers: (name: string) => string | undefined,
  query: Record<string, string>,
  fields: Record<string, string> = {},
): Record<string, string> {
  const found = CHOICES.flatMap((choice) => {
    const header = headers(headerOf(choice));
    const text = header === undefined ? (query[choice] ?? fields[choice]) : decodeHeader(header);
    return text === undefined ? [] : [[choice, text] as const];
  });
  return Object.fromEntries(found);
}

function headerOf(choice: keyof SendChoices): string {
  if (choice === "expiresAt") return HEADER_NAMES.expiresAt;
  return choice.startsWith("max-") ? choice : `${HEADER_PREFIX}${choice}`;
}

/** @returns null without a choice. An expiry overrides a number of days. */
export function chosenExpiration({ expires, "max-days": days }: SendChoices): Expiration | null {
  return expires ?? (days === undefined ? null : longestExpirationWithin(days * DAY_MS));
}

/** Programs send UTF-8 in headers, which the platform may pass on byte by byte as Latin-1. */
function decodeHeader(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromLatin1(text));
  } catch {
    return text;
  }
}

/**
 * The id and token of a deletion. Only the lengths of id and token are checked here: a wrong id or token deletes
 * nothing.
 */
export const deletionParams = z.object({
  id: z.string().check(z.maxLength(64)),
  token: z.string().check(z.maxLength(64)),
});
