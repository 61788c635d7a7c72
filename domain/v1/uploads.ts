import * as z from "zod/mini";
import { EXPIRATIONS } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { MAX_PARTS_PER_SIGNING, MAX_COMPLETED_PARTS_PER_CALL } from "../parts.ts";
import { protectionAtStart } from "../wire/protection.ts";
import { checkSealedStart, putManifestRequest, sealAtStart } from "../wire/seal.ts";
import {
  crc32Hex,
  exactEndAtStart,
  filename,
  formNumber,
  notifyAtStart,
  partNumber,
  proxiedPartQuery,
  completedPart,
  sha256Hex,
} from "../wire/uploads.ts";
import type { V1Call } from "./call.ts";
import {
  EXAMPLE_UPLOAD,
  bytes,
  byId,
  described,
  expiresAt,
  fileId,
  guards,
  link,
  OF_RESUMED_PLAIN,
  OF_RESUMED_SEALED,
  seal,
} from "./fields.ts";

export const EXACT_END =
  "When the link ends, in place of `expires`: such as 2026-12-04T18:00:00+01:00, within the plan's longest expiry.";

/** When a new link ends. */
export const endAtStart = {
  expires: z.optional(described(z.enum(EXPIRATIONS), "How long the link works. By default 3d; large files less.")),
  expiresAt: described(exactEndAtStart, EXACT_END),
};

export const NOTIFY =
  "Which downloads its owner is mailed of. By default the account's choice. `off` also leaves out the mail that it has arrived.";

const FIELD_NAMES: Record<string, string> = { filename: "name", fileType: "type" };

const startUpload = z
  .object({
    name: filename,
    size: bytes,
    type: z._default(described(z.string(), "By default that of the name's ending."), ""),
    ...endAtStart,
    sha256: z.optional(
      described(sha256Hex, "Of the whole file. Where we hash the bytes ourselves, others are discarded."),
    ),
    lastModified: z._default(z.nullable(described(z.number().check(z.int()), "Epoch milliseconds.")), null),
    fingerprint: z._default(
      z.nullable(
        described(sha256Hex, "An unfinished upload of this key with the same one, name, size and date goes on."),
      ),
      null,
    ),
    guards: protectionAtStart,
    seal: z.optional(sealAtStart),
    notify: notifyAtStart.check(z.describe(NOTIFY)),
  })
  .check(({ value, issues }) => {
    const { name, size, type, ...rest } = value;
    const broken = checkSealedStart({ ...rest, filename: name, fileType: type, sizes: [size], entries: 1 });
    const path = broken?.path.map((field) => FIELD_NAMES[field] ?? field);
    if (broken && path) issues.push({ code: "custom", message: broken.message, path, input: value });
  });

const signedPart = z.object({ part: partNumber, url: z.url() });
const received = described(z.array(partNumber), "Parts that are stored.");
const headers = described(z.record(z.string(), z.string()), "What each PUT to these addresses has to send.");

const plan = {
  kind: described(z.enum(["put", "parts"]), "`put`: the file in one request. `parts`: in parts of `partSize`."),
  partSize: z.optional(described(bytes, "Of each part but the last.")),
  partCount: z.optional(partNumber),
};

const startedUpload = z.object({
  id: fileId,
  downloadId: z.string(),
  link,
  expiresAt,
  received,
  upload: z.object({
    ...plan,
    urls: described(z.array(signedPart), "Of the first parts that are missing."),
    headers,
  }),
  guards: z.optional(guards),
  seal: z.optional(seal),
  marks: z.optional(described(z.array(z.object({ part: partNumber, mark: z.string() })), OF_RESUMED_SEALED)),
  sums: z.optional(described(z.array(z.object({ part: partNumber, crc32: crc32Hex })), OF_RESUMED_PLAIN)),
});

const receipts = z._default(
  described(z.array(completedPart).check(z.maxLength(MAX_COMPLETED_PARTS_PER_CALL)), "The ETags that storage gave."),
  [],
);

const signParts = z.object({
  parts: z.array(partNumber).check(z.maxLength(MAX_PARTS_PER_SIGNING)),
  receipts,
});

const completeUpload = z.object({
  receipts,
  sha256: z._default(z.nullable(sha256Hex), null),
  crc32: z.optional(described(crc32Hex, "Of the whole file. An upload whose parts have other sums fails.")),
});

export const completedUpload = z.object({
  id: fileId,
  downloadId: z.string(),
  link,
  downloadUrl: described(z.url(), "The bytes."),
  name: z.string(),
  size: bytes,
  expiresAt,
});

const uploadState = z.object({
  id: fileId,
  downloadId: z.string(),
  link,
  name: z.string(),
  size: bytes,
  state: z.enum(["uploading", "ready", "failed", "cancelled"]),
  progress: described(z.number(), "Percent that is stored."),
  received: z.optional(received),
  upload: z.optional(z.object(plan)),
  expiresAt: described(z.nullable(z.iso.datetime()), "Null: never, or not known before the upload has finished."),
});

const partInAddress = z.object({
  id: fileId,
  part: z.pipe(formNumber, partNumber),
});

/** The idempotency key, which a program chooses. */
export const startKeyHeader = z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/, messageName("notStartKey")));

const PART_URL = "https://storage.example/incoming/2d8f0a52?X-Amz-Signature=…";

export const UPLOAD_CALLS = {
  startUpload: {
    method: "POST",
    path: "/uploads",
    tag: "Uploads",
    summary: "Start an upload",
    description:
      "The link works at once, and shows the progress to whoever opens it. PUT the bytes to the addresses in the answer, then complete the upload.",
    scope: "upload",
    limit: "startByKey",
    body: startUpload,
    isStart: true,
    status: 201,
    answer: startedUpload,
    errors: [
      "PLAN_LIMIT_EXCEEDED",
      "KEY_LIMIT",
      "FILE_TOO_LARGE",
      "REPEATED_DIFFERENTLY",
      "UPLOAD_CLOSED",
      "STORAGE_UNAVAILABLE",
    ],
    example: {
      body: { name: "report.pdf", size: 5, expires: "1d" },
      answer: {
        ...EXAMPLE_UPLOAD,
        received: [],
        upload: {
          kind: "put",
          partSize: 5,
          partCount: 1,
          urls: [{ part: 1, url: PART_URL }],
          headers: { "content-type": "application/pdf" },
        },
      },
    },
  },
  signParts: {
    method: "POST",
    path: "/uploads/{id}/parts",
    tag: "Uploads",
    summary: "Get addresses for parts, and report the ETags of others",
    scope: "upload",
    limit: null,
    params: byId,
    body: signParts,
    status: 200,
    answer: z.object({ urls: z.array(signedPart), received, headers }),
    errors: ["FILE_NOT_FOUND", "UPLOAD_FINISHED", "UPLOAD_CLOSED"],
    example: {
      params: { id: EXAMPLE_UPLOAD.id },
      body: { parts: [1] },
      answer: { urls: [{ part: 1, url: PART_URL }], received: [], headers: { "content-type": "application/pdf" } },
    },
  },
  sendPart: {
    method: "PUT",
    path: "/uploads/{id}/parts/{part}",
    tag: "Uploads",
    summary: "Send a part through us",
    description: "For programs that do not reach storage. It needs a Content-Length.",
    scope: "upload",
    limit: null,
    params: partInAddress,
    query: proxiedPartQuery,
    sends: "bytes",
    status: 200,
    answer: z.object({ part: partNumber, etag: z.string() }),
    errors: ["FILE_NOT_FOUND", "UPLOAD_FINISHED", "UPLOAD_CLOSED", "LENGTH_REQUIRED", "BODY_TOO_LARGE"],
    example: {
      params: { id: EXAMPLE_UPLOAD.id, part: 1 },
      answer: { part: 1, etag: "5d41402abc4b2a76b9719d911017c592" },
    },
  },
  completeUpload: {
    method: "POST",
    path: "/uploads/{id}/complete",
    tag: "Uploads",
    summary: "Complete an upload",
    description: "Its bytes can be downloaded from now on. The same call again gives the same answer.",
    scope: "upload",
    limit: null,
    params: byId,
    body: completeUpload,
    status: 200,
    answer: completedUpload,
    errors: [
      "FILE_NOT_FOUND",
      "UPLOAD_CLOSED",
      "UPLOAD_INCOMPLETE",
      "OBJECT_MISMATCH",
      "CHECKSUM_MISMATCH",
      "FILE_CHANGED",
      "CONTENT_BLOCKED",
      "KIND_REFUSED",
      "MANIFEST_MISSING",
      "STORAGE_UNAVAILABLE",
    ],
    example: {
      params: { id: EXAMPLE_UPLOAD.id },
      body: {},
      answer: {
        ...EXAMPLE_UPLOAD,
        downloadUrl: `https://files.example/api/files/download/${EXAMPLE_UPLOAD.downloadId}/content`,
        name: "report.pdf",
        size: 5,
      },
    },
  },
  readUpload: {
    method: "GET",
    path: "/uploads/{id}",
    tag: "Uploads",
    summary: "See how far an upload is",
    scope: "upload",
    limit: null,
    params: byId,
    status: 200,
    answer: uploadState,
    errors: ["FILE_NOT_FOUND"],
    example: {
      params: { id: EXAMPLE_UPLOAD.id },
      answer: {
        ...EXAMPLE_UPLOAD,
        name: "report.pdf",
        size: 5,
        state: "uploading",
        progress: 0,
        received: [],
        upload: { kind: "put", partSize: 5, partCount: 1 },
        expiresAt: null,
      },
    },
  },
  cancelUpload: {
    method: "DELETE",
    path: "/uploads/{id}",
    tag: "Uploads",
    summary: "Cancel an upload, or a transfer that is uploading",
    scope: "upload",
    limit: null,
    params: byId,
    status: 204,
    errors: ["FILE_NOT_FOUND", "UPLOAD_FINISHED"],
    example: { params: { id: EXAMPLE_UPLOAD.id } },
  },
  putManifest: {
    method: "PUT",
    path: "/uploads/{id}/manifest",
    tag: "Uploads",
    summary: "Send the next encrypted list of files",
    description: "Only of an encrypted upload. It cannot be completed before one with `final: true`.",
    scope: "upload",
    limit: "putManifest",
    params: byId,
    body: putManifestRequest,
    status: 200,
    answer: z.object({ revision: z.number().check(z.int()) }),
    errors: ["FILE_NOT_FOUND", "NOT_SEALED", "MANIFEST_CONFLICT"],
    example: {
      params: { id: EXAMPLE_UPLOAD.id },
      body: { revision: 1, final: true, body: "AAAA" },
      answer: { revision: 1 },
    },
  },
  followUpload: {
    method: "GET",
    path: "/uploads/{id}/socket",
    tag: "Uploads",
    summary: "Open a WebSocket as the sender",
    description:
      "Send `receipts` and `upload_progress`; whoever looks on sees the progress. Receive `received`, `watchers` and `upload_ended`.",
    scope: "upload",
    limit: null,
    params: byId,
    status: 101,
    errors: ["FILE_NOT_FOUND", "UPGRADE_REQUIRED"],
    example: { params: { id: EXAMPLE_UPLOAD.id } },
  },
} as const satisfies Record<string, V1Call>;
