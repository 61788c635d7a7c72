import * as z from "zod/mini";
import { HEADER_NAMES } from "../header-names.ts";
import { MAX_ENTRY_NUMBERS } from "../transfers/limits.ts";
import { unlockRequest } from "../wire/protection.ts";
import { entryParam } from "../wire/transfers.ts";
import { downloadId } from "../wire/uploads.ts";
import type { V1Call } from "./call.ts";
import { EXAMPLE_UPLOAD, bytes, count, described, expiresAt, next, page } from "./fields.ts";

const byLink = z.object({ downloadId });

const followUrl = z.optional(
  described(
    z.string(),
    "Relative to the site: a download that keeps pace with the sender, with Range, If-Range and ETag. Only of what can be followed while it is uploading.",
  ),
);

const linkInfo = z.object({
  name: z.string(),
  size: described(bytes, "Of the bytes at `downloadUrl`."),
  type: z.string(),
  state: z.enum(["uploading", "ready"]),
  progress: z.optional(described(z.number(), "Percent, while it is uploading.")),
  files: described(count, "How many. A single file is file 0."),
  title: z.optional(z.string()),
  message: z.optional(z.nullable(z.string())),
  downloadUrl: described(z.nullable(z.url()), "The file, or all files as a ZIP. Null while it is uploading."),
  followUrl,
  expiresAt: z.optional(expiresAt),
  sha256: z.optional(z.string()),
  guards: z.optional(
    z.object({
      password: z.boolean(),
      sealed: described(z.boolean(), "Encrypted end to end."),
      maxDownloads: z.nullable(count),
      left: z.nullable(count),
    }),
  ),
});

const linkFile = z.object({
  n: described(count, "From 0."),
  name: described(z.string(), "With folders."),
  size: bytes,
  type: z.string(),
  modifiedAt: z.optional(z.iso.datetime()),
  state: z.enum(["stored", "arriving", "waiting"]),
  followUrl,
  sha256: z.optional(z.string()),
});

const unlocked = z.object({
  grant: described(z.nullable(z.string()), "Send it as `Authorization: Bearer GRANT` with the calls of this link."),
  until: z.nullable(z.iso.datetime()),
});

const taken = z.object({
  lease: described(
    z.nullable(z.string()),
    `Send it as the header \`${HEADER_NAMES.lease}\`. Null: downloads are not counted.`,
  ),
  left: z.nullable(count),
  until: z.nullable(z.iso.datetime()),
});

const { downloadId: DOWNLOAD_ID } = EXAMPLE_UPLOAD;
const SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const ENDED = [
  "FILE_NOT_FOUND",
  "FILE_EXPIRED",
  "DOWNLOADS_USED_UP",
  "LINK_LOCKED",
  "LINK_HELD",
  "LINK_UNAVAILABLE",
] as const;

/** Calls without an API key, for the holder of a link. */
export const LINK_CALLS = {
  readLink: {
    method: "GET",
    path: "/links/{downloadId}",
    tag: "Links",
    summary: "See what a link leads to",
    scope: null,
    limit: "downloadInfo",
    params: byLink,
    status: 200,
    answer: linkInfo,
    errors: ENDED,
    example: {
      params: { downloadId: DOWNLOAD_ID },
      answer: {
        name: "report.pdf",
        size: 5,
        type: "application/pdf",
        state: "ready",
        files: 1,
        downloadUrl: `https://files.example/api/files/download/${DOWNLOAD_ID}/content`,
        expiresAt: "2026-11-30T12:00:00.000Z",
        sha256: SHA256,
      },
    },
  },
  listLinkFiles: {
    method: "GET",
    path: "/links/{downloadId}/files",
    tag: "Links",
    summary: "List the files behind a link",
    scope: null,
    limit: "listEntries",
    params: byLink,
    query: page,
    status: 200,
    answer: z.object({ items: z.array(linkFile), next }),
    errors: ENDED,
    example: {
      params: { downloadId: DOWNLOAD_ID },
      answer: {
        items: [{ n: 0, name: "report.pdf", size: 5, type: "application/pdf", state: "stored", sha256: SHA256 }],
        next: null,
      },
    },
  },
  readLinkFile: {
    method: "GET",
    path: "/links/{downloadId}/files/{n}",
    tag: "Links",
    summary: "Download a file",
    description: `Its bytes, with Range, If-Range and ETag. Files are numbered from 0 to ${MAX_ENTRY_NUMBERS - 1}.`,
    scope: null,
    limit: null,
    params: z.object({ downloadId, n: entryParam }),
    status: 200,
    errors: [
      ...ENDED,
      "LEASE_NEEDED",
      "UPLOAD_UNFINISHED",
      "TOO_MANY_FOLLOWERS",
      "RANGE_NOT_SATISFIABLE",
      "GATE_UNAVAILABLE",
    ],
    example: { params: { downloadId: DOWNLOAD_ID, n: 0 } },
  },
  unlockLink: {
    method: "POST",
    path: "/links/{downloadId}/unlock",
    tag: "Links",
    summary: "Unlock a link that has a password",
    scope: null,
    limit: "unlock",
    params: byLink,
    body: unlockRequest,
    status: 200,
    answer: unlocked,
    errors: [
      "FILE_NOT_FOUND",
      "FILE_EXPIRED",
      "DOWNLOADS_USED_UP",
      "LINK_PASSWORD_WRONG",
      "LINK_HELD",
      "LINK_UNAVAILABLE",
    ],
    example: {
      params: { downloadId: DOWNLOAD_ID },
      body: { password: "the sender told me" },
      answer: { grant: null, until: null },
    },
  },
  takeDownload: {
    method: "POST",
    path: "/links/{downloadId}/take",
    tag: "Links",
    summary: "Take one of a limited link's downloads",
    scope: null,
    limit: "take",
    params: byLink,
    status: 201,
    answer: taken,
    errors: [...ENDED, "DOWNLOADS_BUSY", "ATTEMPTS_USED_UP", "GATE_UNAVAILABLE"],
    example: { params: { downloadId: DOWNLOAD_ID }, answer: { lease: null, left: null, until: null } },
  },
} as const satisfies Record<string, V1Call>;
