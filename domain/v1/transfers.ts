import * as z from "zod/mini";
import {
  finishTransferByProgram,
  objectParam,
  sealIssuesOf,
  transferBatchRequest,
  transferStartFields,
} from "../wire/transfers.ts";
import { crc32Hex, formNumber, partNumber } from "../wire/uploads.ts";
import type { V1Call } from "./call.ts";
import {
  EXAMPLE_TRANSFER,
  byId,
  bytes,
  count,
  described,
  expiresAt,
  fileId,
  guards,
  link,
  next,
  OF_RESUMED_PLAIN,
  OF_RESUMED_SEALED,
  page,
  seal,
} from "./fields.ts";
import { completedUpload, endAtStart, NOTIFY } from "./uploads.ts";

const runs = z.readonly(z.array(z.readonly(z.tuple([count, count]))));

const startTransfer = z
  .object({
    ...transferStartFields,
    ...endAtStart,
    notify: transferStartFields.notify.check(z.describe(NOTIFY)),
  })
  .check(({ value, issues }) => {
    for (const issue of sealIssuesOf(value)) issues.push({ code: "custom", ...issue, input: value });
  });

const sums = described(z.array(z.object({ part: partNumber, crc32: crc32Hex })), OF_RESUMED_PLAIN);

const batch = {
  entries: described(count, "How many files have been announced."),
  opened: z.array(z.object({ object: count, partSizeBytes: bytes, partCount: partNumber })),
  urls: z.array(z.object({ object: count, part: partNumber, url: z.url() })),
  stored: described(runs, "Files that can be downloaded: `[first, how many]`."),
  received: described(
    z.array(z.object({ object: count, runs, parts: runs, sums: z.optional(sums), partSizeBytes: z.optional(bytes) })),
    "Objects that are not stored yet.",
  ),
  again: described(z.array(count), "Objects whose bytes came otherwise than announced. Send their files in new ones."),
};

const startedTransfer = z.object({
  id: fileId,
  downloadId: z.string(),
  link,
  expiresAt,
  resumed: described(z.boolean(), "An unfinished transfer goes on: take its numbers from `next` and `received`."),
  next: z.optional(z.object({ entry: count, object: count })),
  announcedBytes: z.optional(bytes),
  ...batch,
  guards: z.optional(guards),
  seal: z.optional(seal),
  marks: z.optional(described(z.array(z.object({ n: count, part: partNumber, mark: z.string() })), OF_RESUMED_SEALED)),
});

const transferFile = z.object({
  n: described(count, "From 0."),
  name: described(z.string(), "With folders."),
  size: bytes,
  type: z.string(),
  modifiedAt: z.iso.datetime(),
  state: z.enum(["stored", "arriving", "waiting", "removed"]),
  sha256: z.optional(z.string()),
  crc32: z.optional(described(crc32Hex, "Of a file that is stored.")),
});

const objectPart = z.object({ id: fileId, object: objectParam, part: z.pipe(formNumber, partNumber) });

const OBJECT_URL = "https://storage.example/files/7b1e6a2c/00000?X-Amz-Signature=…";
const EXAMPLE_BATCH = {
  entries: 1,
  opened: [{ object: 0, partSizeBytes: 5, partCount: 1 }],
  urls: [{ object: 0, part: 1, url: OBJECT_URL }],
  stored: [],
  received: [{ object: 0, runs: [[0, 1]], parts: [] }],
  again: [],
};
const OPEN_ONE = {
  entries: { from: 0, list: [["sea.jpg", 5, 1_795_435_200_000]] },
  open: [{ object: 0, runs: [[0, 1]] }],
};
const BATCH_ERRORS = [
  "PATH_REFUSED",
  "ENTRY_CONFLICT",
  "OBJECT_CONFLICT",
  "TOTALS_EXCEEDED",
  "PLAN_LIMIT_EXCEEDED",
  "KEY_LIMIT",
] as const;

export const TRANSFER_CALLS = {
  startTransfer: {
    method: "POST",
    path: "/transfers",
    tag: "Transfers",
    summary: "Start a transfer of many files",
    description: "One link for up to 10,000 files and folders. Small files travel together in objects.",
    scope: "upload",
    limit: "startByKey",
    body: startTransfer,
    isStart: true,
    status: 201,
    answer: startedTransfer,
    errors: [...BATCH_ERRORS, "REPEATED_DIFFERENTLY", "UPLOAD_CLOSED", "STORAGE_UNAVAILABLE"],
    example: {
      body: { title: "Photos", totals: { entries: 1, bytes: 5 }, ...OPEN_ONE },
      answer: { ...EXAMPLE_TRANSFER, resumed: false, ...EXAMPLE_BATCH },
    },
  },
  addFiles: {
    method: "POST",
    path: "/transfers/{id}/files",
    tag: "Transfers",
    summary: "Announce files, open objects, get addresses and report what was sent",
    description: "An empty call asks what is stored. The same call again changes nothing.",
    scope: "upload",
    limit: null,
    params: byId,
    body: transferBatchRequest,
    status: 200,
    answer: z.object(batch),
    errors: [...BATCH_ERRORS, "FILE_NOT_FOUND", "UPLOAD_FINISHED", "UPLOAD_CLOSED", "UPLOAD_COMPLETING"],
    example: { params: { id: EXAMPLE_TRANSFER.id }, body: {}, answer: { ...EXAMPLE_BATCH, opened: [], urls: [] } },
  },
  listTransferFiles: {
    method: "GET",
    path: "/transfers/{id}/files",
    tag: "Transfers",
    summary: "List the files of a transfer that this key has started",
    description: "Also while it uploads, with removed files: a program that goes on with it knows then what is there.",
    scope: "upload",
    limit: null,
    params: byId,
    query: page,
    status: 200,
    answer: z.object({ items: z.array(transferFile), next }),
    errors: ["FILE_NOT_FOUND", "BAD_REQUEST"],
    example: {
      params: { id: EXAMPLE_TRANSFER.id },
      query: { limit: 1 },
      answer: {
        items: [
          {
            n: 0,
            name: "sea.jpg",
            size: 5,
            type: "image/jpeg",
            modifiedAt: "2026-11-23T12:00:00.000Z",
            state: "arriving",
          },
        ],
        next: null,
      },
    },
  },
  sendObjectPart: {
    method: "PUT",
    path: "/transfers/{id}/objects/{object}/{part}",
    tag: "Transfers",
    summary: "Send a part of an object through us",
    description: "For programs that do not reach storage. It needs a Content-Length; report its ETag afterwards.",
    scope: "upload",
    limit: null,
    params: objectPart,
    sends: "bytes",
    status: 200,
    answer: z.object({ object: count, part: partNumber, etag: z.string() }),
    errors: ["FILE_NOT_FOUND", "UPLOAD_FINISHED", "UPLOAD_CLOSED", "LENGTH_REQUIRED", "BODY_TOO_LARGE"],
    example: {
      params: { id: EXAMPLE_TRANSFER.id, object: 0, part: 1 },
      answer: { object: 0, part: 1, etag: "5d41402abc4b2a76b9719d911017c592" },
    },
  },
  completeTransfer: {
    method: "POST",
    path: "/transfers/{id}/complete",
    tag: "Transfers",
    summary: "Complete a transfer",
    scope: "upload",
    limit: null,
    params: byId,
    body: finishTransferByProgram,
    status: 200,
    answer: z.object({ ...completedUpload.shape, zipSize: bytes, entries: count }),
    errors: [
      "FILE_NOT_FOUND",
      "UPLOAD_CLOSED",
      "UPLOAD_COMPLETING",
      "UPLOAD_INCOMPLETE",
      "MANIFEST_MISSING",
      "CONTENT_BLOCKED",
      "KIND_REFUSED",
      "STORAGE_UNAVAILABLE",
    ],
    example: {
      params: { id: EXAMPLE_TRANSFER.id },
      body: {},
      answer: {
        ...EXAMPLE_TRANSFER,
        downloadUrl: `https://files.example/api/files/download/${EXAMPLE_TRANSFER.downloadId}/content?v=Zm9vYmFy`,
        name: "Photos.zip",
        size: 5,
        zipSize: 143,
        entries: 1,
      },
    },
  },
} as const satisfies Record<string, V1Call>;
