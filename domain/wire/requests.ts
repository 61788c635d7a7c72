import * as z from "zod/mini";
import { emailAddress } from "../email-address.ts";
import { EXPIRATIONS, type Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { REQUEST_NOTICES, type RequestNotice } from "../notices/when-mailed.ts";
import {
  DEFAULT_REQUEST_LIFETIME,
  KIND_MAX_LENGTH,
  KIND_PATTERN,
  MOST_KINDS,
  MOST_ORIGINS,
  REQUEST_LIFETIMES,
  REQUEST_NOTE_MAX_LENGTH,
  REQUEST_TITLE_MAX_LENGTH,
  SENDER_NAME_MAX_LENGTH,
} from "../requests/limits.ts";
import { parseSize } from "../units.ts";
import { changesSomething, requiredName } from "./checks.ts";
import type { FirstPicture } from "./pictures.ts";
import { linkPassword } from "./protection.ts";
import { type FinishTransferAnswer, type StartTransferAnswer, startTransferRequest } from "./transfers.ts";

/** 128 random bits in base64url, like a download id. */
export const requestToken = z.string().check(z.regex(/^[\w-]{22}$/, messageName("notRequestToken")));

const title = requiredName("requestTitleMissing", REQUEST_TITLE_MAX_LENGTH, "requestTitleLong");
const note = z.string().check(
  z.trim(),
  z.maxLength(REQUEST_NOTE_MAX_LENGTH, messageName("requestNoteLong")),
  z.refine((text) => text.isWellFormed(), messageName("wrong")),
);
const most = z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)));
const kind = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.trim().toLowerCase().replace(/^\./, "")),
  ),
  z.string().check(z.regex(KIND_PATTERN, messageName("notKind")), z.maxLength(KIND_MAX_LENGTH, messageName("notKind"))),
);
const kinds = z.nullable(z.array(kind).check(z.minLength(1), z.maxLength(MOST_KINDS, messageName("kindsMany"))));
const origin = z.string().check(z.refine(isSite, messageName("notOrigin")));
const origins = z.pipe(
  z.array(origin).check(z.maxLength(MOST_ORIGINS, messageName("originsMany"))),
  z.transform((list: string[]) => [...new Set(list)]),
);

export const createUploadRequest = z.object({
  title,
  note: z._default(note, ""),
  expiresIn: z._default(z.enum(REQUEST_LIFETIMES), DEFAULT_REQUEST_LIFETIME),
  /** By default the longest expiry that the plan allows. */
  keepFor: z.optional(z.enum(EXPIRATIONS)),
  mostBytes: z._default(most, null),
  mostFileBytes: z._default(most, null),
  mostTransfers: z._default(most, null),
  kinds: z._default(kinds, null),
  asksName: z._default(z.boolean(), false),
  asksEmail: z._default(z.boolean(), false),
  password: z.optional(linkPassword),
  notify: z._default(z.enum(REQUEST_NOTICES), "each"),
  origins: z._default(origins, []),
});
export type CreateUploadRequest = z.infer<typeof createUploadRequest>;

/** `expiresIn` counts from the moment of the change. A `password` of null removes the password. */
export const changeUploadRequest = z
  .object({
    closed: z.optional(z.boolean()),
    title: z.optional(title),
    note: z.optional(note),
    expiresIn: z.optional(z.enum(REQUEST_LIFETIMES)),
    keepFor: z.optional(z.enum(EXPIRATIONS)),
    mostBytes: z.optional(most),
    mostFileBytes: z.optional(most),
    mostTransfers: z.optional(most),
    kinds: z.optional(kinds),
    asksName: z.optional(z.boolean()),
    asksEmail: z.optional(z.boolean()),
    password: z.optional(z.nullable(linkPassword)),
    notify: z.optional(z.enum(REQUEST_NOTICES)),
    origins: z.optional(origins),
  })
  .check(changesSomething("nothingToChangeInRequest"));
export type ChangeUploadRequest = z.infer<typeof changeUploadRequest>;

/** `over-plan`: the owner's plan allows fewer open requests. Senders see an `over-plan` request as closed. */
export type RequestState = "open" | "closed" | "expired" | "over-plan";

/** A request as its owner sees it. Moments are ISO 8601, sizes bytes. */
export interface ListedUploadRequest {
  id: string;
  /** `{origin}/r/{token}` */
  link: string;
  title: string;
  note: string;
  state: RequestState;
  keepFor: Expiration;
  /** Null for a request that is open until its owner closes it. */
  expiresAt: string | null;
  mostBytes: number | null;
  mostFileBytes: number | null;
  mostTransfers: number | null;
  kinds: string[] | null;
  asksName: boolean;
  asksEmail: boolean;
  hasPassword: boolean;
  notify: RequestNotice;
  origins: string[];
  /** Bytes that are stored or being uploaded. */
  receivedBytes: number;
  receivedTransfers: number;
  createdAt: string;
  closedAt: string | null;
}

/** A request as a sender with its link, and with its password, sees it. */
export interface SeenUploadRequest {
  title: string;
  note: string;
  /** Null for a request that is open until its owner closes it. */
  expiresAt: string | null;
  /** The bytes and transfers that may still come. Null if the request has no such limit of its own. */
  left: { bytes: number | null; transfers: number | null };
  /** The largest size of one file, in bytes. */
  mostFileBytes: number;
  /** The most files of one transfer. */
  mostFiles: number;
  kinds: string[] | null;
  asksName: boolean;
  asksEmail: boolean;
  /** How long the owner keeps received files. */
  keepFor: Expiration;
}
/** Without the password, a sender learns only the title. */
export type ReadUploadRequestAnswer =
  ({ needsPassword: false } & SeenUploadRequest) | { needsPassword: true; title: string };

export const unlockUploadRequest = z.object({ password: linkPassword });
/** Send the grant as `Authorization: Bearer GRANT` with the request's other calls. */
export interface UnlockUploadRequestAnswer {
  grant: string;
  /** ISO 8601. */
  until: string;
  request: SeenUploadRequest;
}

const senderName = z.string().check(
  z.trim(),
  z.maxLength(SENDER_NAME_MAX_LENGTH, messageName("senderNameLong")),
  z.refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), messageName("wrong")),
);
const senderEmail = emailAddress(messageName("emailInvalid"));

/** Fields of a sender's start that the start of a transfer does not have. */
export const senderFields = z.object({
  senderName: z.optional(senderName),
  senderEmail: z.optional(senderEmail),
  note: z._default(note, ""),
});
export type SenderFields = z.infer<typeof senderFields>;

/** A sender's start of a transfer. `worker/requests/` refuses `expiresAt`, `guards` and `seal`: the owner decides. */
export const startSendingRequest = z.intersection(startTransferRequest, senderFields);
export type StartSendingRequest = z.infer<typeof startSendingRequest>;

/** Has no link, because a sender never gets one. `downloadId` names the upload in the sender's later calls. */
export interface StartSendingAnswer extends Omit<StartTransferAnswer, "shareUrl" | "expiresAt" | "guards" | "seal"> {
  /** Authorizes signing, parts, finish and cancel of this transfer alone. */
  uploadToken: string;
}

/** The answer of a sender's `finish`. */
export type SentAnswer = Omit<FinishTransferAnswer, "shareUrl" | "downloadUrl">;

/** A transfer that came through a request, as its owner sees it. */
export interface ReceivedTransfer {
  id: string;
  /** The transfer's id in addresses of pages and bytes, which only its owner can open until there is a link. */
  downloadId: string;
  requestId: string;
  /** Null when the request was deleted. */
  requestTitle: string | null;
  title: string;
  size: number;
  entries: number;
  receivedAt: string;
  expiresAt: string | null;
  senderName: string | null;
  senderEmail: string | null;
  senderNote: string | null;
  /** The link for others; null until its owner makes one. */
  link: string | null;
  /** As of a file that was sent (`ListedFile`). */
  pictures?: FirstPicture[];
}

/** `cursor`: `next` of the previous page. `request`: lists only transfers through this request. */
export const receivedQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(64))),
  request: z.optional(z.uuid()),
});

export interface ReceivedPage {
  items: ReceivedTransfer[];
  /** Null on the last page. */
  next: string | null;
}

/** `transfer` deletes the transfer and reports its sender. `request` also closes the request. */
export const refuseSenderRequest = z.object({
  what: z.enum(["transfer", "request"]),
  reason: z._default(z.string().check(z.trim(), z.maxLength(500)), ""),
});
export type RefuseSenderRequest = z.infer<typeof refuseSenderRequest>;

/** The dashboard's form for a new or changed request: sizes with units, lists as people type them. */
export const uploadRequestForm = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((form): Record<string, unknown> => {
      const textOf = (value: unknown) => (typeof value === "string" ? value : "");
      const text = (name: string) => textOf(form[name]).trim();
      return {
        title: text("title"),
        note: text("note"),
        expiresIn: text("expiresIn") || undefined,
        keepFor: text("keepFor") || undefined,
        mostBytes: parseSize(text("mostBytes")),
        mostFileBytes: parseSize(text("mostFileBytes")),
        mostTransfers: parseCount(text("mostTransfers")),
        kinds: nullIfEmpty(listOf(text("kinds"), /[\s,;]+/)),
        origins: listOf(text("origins"), /[\s,;]+/).map(typedSite),
        asksName: "asksName" in form,
        asksEmail: "asksEmail" in form,
        ...(textOf(form.password) !== "" && { password: form.password }),
        notify: text("notify") || undefined,
      };
    }),
  ),
  createUploadRequest,
);

/** @returns NaN for text that is no whole number; null for no text */
function parseCount(text: string): number | null {
  if (text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}

function listOf(text: string, separator: RegExp): string[] {
  return text.split(separator).filter((item) => item !== "");
}

function nullIfEmpty(list: string[]): string[] | null {
  return list.length === 0 ? null : list;
}

/** A host has at most 253 characters (RFC 1035, section 2.3.4, as text), besides `https://` and a port. */
const ORIGIN_MAX_LENGTH = 267;

/** Hosts that browsers take for this computer (Secure Contexts, section 3.1), where sites have no certificate. */
const THIS_COMPUTER = /^(?:(?:.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** Browsers send no other characters in a host. A star is not allowed, because a list of websites has no patterns. */
const HOST = /^(?:[a-z\d.-]+|\[[a-f\d:]+\])$/;

/** Whether a text is a website's origin as browsers send it: `https://`, host and port; `http://` on this computer. */
function isSite(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || text.length > ORIGIN_MAX_LENGTH || !HOST.test(url.hostname)) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && THIS_COMPUTER.test(url.hostname));
}

/** Turns a typed website into the origin that browsers send. A text that is more than a website stays as it is. */
function typedSite(text: string): string {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : text;
}
