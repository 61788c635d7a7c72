import fc from "fast-check";
import type { HostileRequest } from "./hostile-requests.ts";
import { replacePlaceholders, SEQUENCE_IDS, type IdValues } from "./id-placeholders.ts";
import { EDGE_CASE_NAMES, EDGE_CASE_TYPES } from "./edge-case-values.ts";

/** Several calls about one upload, in any order. */
export interface HostileSequence {
  start: "direct" | "in chunks" | "in a form" | "as a transfer";
  filename: string;
  fileType: string;
  sizeBytes: number;
  steps: { call: SequenceCall; sender: HostileRequest["sender"] }[];
}

interface SequenceRequest {
  path: string;
  init: RequestInit;
}

const asJson = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const bytesOf = (sizeBytes: number) => new Uint8Array(sizeBytes).fill(0x61);

/** Calls about the upload, by its sender or by others. */
const CALLS = {
  sign: () => ({
    path: "/api/direct-upload/sign-parts",
    init: asJson("POST", { downloadId: SEQUENCE_IDS.downloadId, parts: [1] }),
  }),
  part: (sizeBytes) => ({
    path: `/api/direct-upload/parts/${SEQUENCE_IDS.downloadId}/1`,
    init: { method: "PUT", headers: { "content-length": String(sizeBytes) }, body: bytesOf(sizeBytes) },
  }),
  complete: () => ({
    path: "/api/direct-upload/complete",
    init: asJson("POST", { downloadId: SEQUENCE_IDS.downloadId }),
  }),
  cancel: () => ({ path: "/api/direct-upload/cancel", init: asJson("POST", { downloadId: SEQUENCE_IDS.downloadId }) }),
  chunk: (sizeBytes) => ({
    path: "/api/chunked-upload/chunk",
    init: formInit(
      { uploadId: SEQUENCE_IDS.uploadId, chunkIndex: "0", totalChunks: "1" },
      "chunk",
      new Blob([bytesOf(sizeBytes)]),
    ),
  }),
  finalize: () => ({ path: "/api/chunked-upload/finalize", init: asJson("POST", { uploadId: SEQUENCE_IDS.uploadId }) }),
  batch: () => ({
    path: `/api/transfers/${SEQUENCE_IDS.downloadId}/batch`,
    init: asJson("POST", { open: [{ object: 0, runs: [[0, 1]] }], sign: [{ object: 0, parts: [1] }], remove: [1] }),
  }),
  objectPart: (sizeBytes) => ({
    path: `/api/transfers/${SEQUENCE_IDS.downloadId}/objects/0/1`,
    init: { method: "PUT", headers: { "content-length": String(sizeBytes) }, body: bytesOf(sizeBytes) },
  }),
  finish: () => ({
    path: `/api/transfers/${SEQUENCE_IDS.downloadId}/finish`,
    init: asJson("POST", { receipts: [{ object: 0, part: 1, etag: "abc", crc32: "00000000" }] }),
  }),
  rename: () => ({ path: `/api/files/${SEQUENCE_IDS.uploadId}`, init: asJson("PATCH", { filename: "renamed.txt" }) }),
  share: () => ({
    path: `/api/files/${SEQUENCE_IDS.uploadId}/share`,
    init: asJson("POST", { email: "friend@example.com" }),
  }),
  delete: () => ({ path: `/api/files/${SEQUENCE_IDS.uploadId}`, init: { method: "DELETE" } }),
  takeDown: () => ({
    path: `/api/admin/files/${SEQUENCE_IDS.uploadId}/take-down`,
    init: asJson("POST", { reason: "It is harmful." }),
  }),
  report: () => ({
    path: `/api/files/download/${SEQUENCE_IDS.downloadId}/report`,
    init: asJson("POST", { reason: "other" }),
  }),
  info: () => ({ path: `/api/files/download/${SEQUENCE_IDS.downloadId}`, init: {} }),
  content: () => ({ path: `/api/files/download/${SEQUENCE_IDS.downloadId}/content`, init: {} }),
  range: () => ({
    path: `/api/files/download/${SEQUENCE_IDS.downloadId}/content`,
    init: { headers: { range: "bytes=1-" } },
  }),
  preview: () => ({ path: `/api/files/download/${SEQUENCE_IDS.downloadId}/preview`, init: {} }),
  page: () => ({ path: `/download/${SEQUENCE_IDS.downloadId}`, init: {} }),
  files: () => ({ path: "/api/files", init: {} }),
  unfinished: () => ({ path: "/api/direct-upload/unfinished", init: {} }),
} satisfies Record<string, (sizeBytes: number) => SequenceRequest>;

type SequenceCall = keyof typeof CALLS;

const EVERY_CALL = Object.keys(CALLS) as SequenceCall[];

/** Calls that complete an upload: with its own transport, another one, or both. */
const finishing = fc.constantFrom<SequenceCall[][]>(
  ["part", "complete"],
  ["chunk", "finalize"],
  ["batch", "objectPart", "finish"],
  ["sign", "part", "chunk", "complete", "finalize"],
);

const calls = fc.oneof(
  // The regular order, then any calls.
  fc
    .tuple(finishing, fc.shuffledSubarray(EVERY_CALL, { maxLength: 2 }))
    .map(([completed, others]): SequenceCall[] => [...completed, "content", ...others]),
  fc.shuffledSubarray(EVERY_CALL, { minLength: 2, maxLength: 3 }),
  // The same call twice, with one that undoes it in between.
  fc
    .tuple(fc.constantFrom(...EVERY_CALL), fc.constantFrom<SequenceCall[]>("cancel", "delete", "complete", "finalize"))
    .map(([call, other]) => [call, other, call]),
);
const sender = fc.oneof(
  { weight: 6, arbitrary: fc.constant("owner" as const) },
  { weight: 1, arbitrary: fc.constantFrom("another", "administrator", "nobody") },
);

export const hostileSequence: fc.Arbitrary<HostileSequence> = fc.record({
  start: fc.constantFrom<HostileSequence["start"][]>("direct", "in chunks", "in a form", "as a transfer"),
  filename: fc.oneof(fc.constant("a file"), fc.constantFrom(...EDGE_CASE_NAMES)),
  fileType: fc.constantFrom(...EDGE_CASE_TYPES),
  sizeBytes: fc.constantFrom(0, 1, 5, 5, 70_000),
  steps: calls.chain((chosen) => fc.tuple(...chosen.map((call) => sender.map((who) => ({ call, sender: who }))))),
});

/** The request that starts the upload; its answer has the download id. */
export function startRequest({ start, filename, fileType, sizeBytes }: HostileSequence): SequenceRequest {
  const file = { filename, fileType, expiration: "1d" };
  if (start === "direct") {
    return { path: "/api/direct-upload/presigned-url", init: asJson("POST", { ...file, fileSize: sizeBytes }) };
  }
  if (start === "in chunks") {
    const sizes = { totalSize: String(sizeBytes), totalChunks: "1" };
    return { path: "/api/chunked-upload/init", init: asJson("POST", { ...file, ...sizes }) };
  }
  if (start === "as a transfer") {
    const list = [
      [filename, sizeBytes, 0],
      ["empty.txt", 0, 0],
    ];
    const body = { expiration: "1d", totals: { entries: 2, bytes: sizeBytes }, entries: { from: 0, list } };
    return { path: "/api/transfers", init: asJson("POST", body) };
  }
  const blob = new Blob([bytesOf(sizeBytes)], { type: fileType });
  return {
    path: "/api/direct-upload/proxy-upload",
    init: formInit({ filename: filename.toWellFormed(), expiration: "1d" }, "file", blob),
  };
}

export function stepRequest(call: SequenceCall, sizeBytes: number, ids: IdValues): SequenceRequest {
  const { path, init }: SequenceRequest = CALLS[call](sizeBytes);
  const { body } = init;
  if (body instanceof FormData) fillInForm(body, ids);
  return {
    path: replacePlaceholders(path, ids),
    init: typeof body === "string" ? { ...init, body: replacePlaceholders(body, ids) } : init,
  };
}

function fillInForm(form: FormData, ids: IdValues): void {
  for (const [name, value] of Array.from(form))
    if (typeof value === "string") form.set(name, replacePlaceholders(value, ids));
}

function formInit(fields: Record<string, string>, fileField: string, file: Blob): RequestInit {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(fileField, file, "a file");
  return { method: "POST", body: form };
}
