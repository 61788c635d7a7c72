import * as z from "zod/mini";
import { EXPIRATIONS } from "../expiry.ts";
import { changesSomething } from "../wire/checks.ts";
import { shareFileRequest } from "../wire/files.ts";
import { label, labels } from "../wire/labels.ts";
import { changeProtectionRequest } from "../wire/protection.ts";
import { messageToRecipients } from "../wire/transfers.ts";
import { exactEnd, filename } from "../wire/uploads.ts";
import type { V1Call } from "./call.ts";
import {
  EXAMPLE_TRANSFER,
  at,
  byId,
  bytes,
  count,
  described,
  expiresAt,
  fileId,
  guards,
  next,
  page,
  seal,
} from "./fields.ts";
import { EXACT_END } from "./uploads.ts";

const NO_LINK = "Null for what came through an upload request, until its owner makes a link on the page Received.";

const transfer = z.object({
  id: fileId,
  downloadId: described(z.nullable(z.string()), NO_LINK),
  link: described(z.nullable(z.url()), `What recipients open. ${NO_LINK}`),
  name: z.string(),
  size: bytes,
  uploadedAt: at("When the upload finished."),
  expiresAt,
  isExpired: z.boolean(),
  downloads: count,
  entries: z.optional(described(count, "How many files; absent for a single file.")),
  title: z.optional(z.string()),
  message: z.optional(z.nullable(z.string())),
  guards: z.optional(guards),
  seal: z.optional(seal),
  pictures: z.optional(
    described(
      z.array(z.tuple([count, count, count])),
      "The first files with a picture, at most four: number, and width and height of its tile. Absent for none.",
    ),
  ),
  labels: z.optional(described(z.array(z.string()), "The owner's. Absent for a link without any.")),
});

const changeTransfer = z
  .object({
    name: z.optional(described(filename, "Of a transfer of many files: its title.")),
    expires: z.optional(described(z.enum(EXPIRATIONS), "Counted from the end of the upload.")),
    expiresAt: z.optional(described(exactEnd, EXACT_END)),
    message: z.optional(messageToRecipients),
    labels: z.optional(described(labels, "All of them: they replace the former ones.")),
    guards: z.optional(
      described(changeProtectionRequest.shape.guards, "Comes alone. Null removes a password or a limit."),
    ),
  })
  .check(changesSomething("nothingToChangeInTransfer"));

const downloads = z.object({
  downloads: described(count, "That came to their end."),
  maxDownloads: described(z.nullable(count), "Null: any number."),
  downloadsUsed: count,
  running: described(count, "Of a limited link: that hold a place now."),
  isWaiting: described(z.boolean(), "Unfinished copies leave no room. PATCH `guards: {letGoOn: true}` makes some."),
});

const EXAMPLE = {
  ...EXAMPLE_TRANSFER,
  name: "Photos.zip",
  size: 5,
  uploadedAt: "2026-11-23T12:00:00.000Z",
  isExpired: false,
  downloads: 0,
  entries: 1,
  title: "Photos",
  message: null,
};
/** The calls about links whose upload has finished: single files, and transfers of many files. */
export const SENT_CALLS = {
  listTransfers: {
    method: "GET",
    path: "/transfers",
    tag: "Transfers",
    summary: "List what was sent, newest first",
    scope: "files:read",
    limit: null,
    query: z.extend(page, { label: z.optional(described(label, "Only what has this label.")) }),
    status: 200,
    answer: z.object({ items: z.array(transfer), next }),
    errors: [],
    example: { query: { limit: 1 }, answer: { items: [EXAMPLE], next: null } },
  },
  readTransfer: {
    method: "GET",
    path: "/transfers/{id}",
    tag: "Transfers",
    summary: "See a file or a transfer that was sent",
    scope: "files:read",
    limit: null,
    params: byId,
    status: 200,
    answer: transfer,
    errors: ["FILE_NOT_FOUND"],
    example: { params: { id: EXAMPLE_TRANSFER.id }, answer: EXAMPLE },
  },
  changeTransfer: {
    method: "PATCH",
    path: "/transfers/{id}",
    tag: "Transfers",
    summary: "Change its name, expiry, message, labels or guards",
    scope: "files:write",
    limit: "changeGuards",
    params: byId,
    body: changeTransfer,
    status: 200,
    answer: transfer,
    errors: [
      "FILE_NOT_FOUND",
      "FILE_EXPIRED",
      "PLAN_LIMIT_EXCEEDED",
      "SEALED",
      "NOT_SEALED",
      "DOWNLOADS_USED_UP",
      "GATE_UNAVAILABLE",
    ],
    example: {
      params: { id: EXAMPLE_TRANSFER.id },
      body: { name: "Photos of the sea" },
      answer: { ...EXAMPLE, name: "Photos of the sea.zip", title: "Photos of the sea" },
    },
  },
  deleteTransfer: {
    method: "DELETE",
    path: "/transfers/{id}",
    tag: "Transfers",
    summary: "End a link, and delete its bytes",
    scope: "files:write",
    limit: null,
    params: byId,
    status: 204,
    errors: ["FILE_NOT_FOUND"],
    example: { params: { id: EXAMPLE_TRANSFER.id } },
  },
  mailTransfer: {
    method: "POST",
    path: "/transfers/{id}/mail",
    tag: "Transfers",
    summary: "Mail the link to somebody",
    scope: "files:write",
    limit: "shareByMail",
    params: byId,
    body: shareFileRequest,
    status: 204,
    errors: ["FILE_NOT_FOUND", "FILE_EXPIRED", "LINK_NEEDS_KEY", "LINK_HELD"],
    example: { params: { id: EXAMPLE_TRANSFER.id }, body: { email: "friend@example.com", note: "From last week." } },
  },
  readDownloads: {
    method: "GET",
    path: "/transfers/{id}/downloads",
    tag: "Transfers",
    summary: "See how often a link was downloaded",
    scope: "files:read",
    limit: null,
    params: byId,
    status: 200,
    answer: downloads,
    errors: ["FILE_NOT_FOUND", "GATE_UNAVAILABLE"],
    example: {
      params: { id: EXAMPLE_TRANSFER.id },
      answer: { downloads: 3, maxDownloads: null, downloadsUsed: 0, running: 0, isWaiting: false },
    },
  },
} as const satisfies Record<string, V1Call>;
