import fc from "fast-check";
import type { HostileRequest } from "./hostile-requests.ts";
import { fillIn, IT, type RealIds } from "./real-ids.ts";
import { STRANGE_NAMES, STRANGE_TYPES } from "./strange-values.ts";

/** Several calls about one upload, in an order that nobody may have thought of. */
export interface HostileStory {
  start: "direct" | "in chunks" | "in a form";
  filename: string;
  fileType: string;
  /** How large it is. */
  sizeBytes: number;
  steps: { call: StoryCall; sender: HostileRequest["sender"] }[];
}

interface StoryRequest {
  path: string;
  init: RequestInit;
}

const asJson = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const bytesOf = (sizeBytes: number) => new Uint8Array(sizeBytes).fill(0x61);

/** What is asked of the upload, by its sender or by somebody else. */
const CALLS = {
  sign: () => ({
    path: "/api/direct-upload/sign-parts",
    init: asJson("POST", { downloadId: IT.downloadId, parts: [1] }),
  }),
  part: (sizeBytes) => ({
    path: `/api/direct-upload/parts/${IT.downloadId}/1`,
    init: { method: "PUT", headers: { "content-length": String(sizeBytes) }, body: bytesOf(sizeBytes) },
  }),
  complete: () => ({ path: "/api/direct-upload/complete", init: asJson("POST", { downloadId: IT.downloadId }) }),
  cancel: () => ({ path: "/api/direct-upload/cancel", init: asJson("POST", { downloadId: IT.downloadId }) }),
  chunk: (sizeBytes) => ({
    path: "/api/chunked-upload/chunk",
    init: formInit(
      { uploadId: IT.uploadId, chunkIndex: "0", totalChunks: "1" },
      "chunk",
      new Blob([bytesOf(sizeBytes)]),
    ),
  }),
  finalize: () => ({ path: "/api/chunked-upload/finalize", init: asJson("POST", { uploadId: IT.uploadId }) }),
  rename: () => ({ path: `/api/files/${IT.uploadId}`, init: asJson("PATCH", { filename: "renamed.txt" }) }),
  share: () => ({ path: `/api/files/${IT.uploadId}/share`, init: asJson("POST", { email: "friend@example.com" }) }),
  delete: () => ({ path: `/api/files/${IT.uploadId}`, init: { method: "DELETE" } }),
  takeDown: () => ({
    path: `/api/admin/files/${IT.uploadId}/take-down`,
    init: asJson("POST", { reason: "It is harmful." }),
  }),
  report: () => ({
    path: `/api/files/download/${IT.downloadId}/report`,
    init: asJson("POST", { reason: "other" }),
  }),
  info: () => ({ path: `/api/files/download/${IT.downloadId}`, init: {} }),
  content: () => ({ path: `/api/files/download/${IT.downloadId}/content`, init: {} }),
  range: () => ({
    path: `/api/files/download/${IT.downloadId}/content`,
    init: { headers: { range: "bytes=1-" } },
  }),
  preview: () => ({ path: `/api/files/download/${IT.downloadId}/preview`, init: {} }),
  page: () => ({ path: `/download/${IT.downloadId}`, init: {} }),
  files: () => ({ path: "/api/files", init: {} }),
  unfinished: () => ({ path: "/api/direct-upload/unfinished", init: {} }),
} satisfies Record<string, (sizeBytes: number) => StoryRequest>;

type StoryCall = keyof typeof CALLS;

const EVERY_CALL = Object.keys(CALLS) as StoryCall[];

/** What makes a file of an upload: on its own road, on the other, or on both. */
const finishing = fc.constantFrom<StoryCall[][]>(
  ["part", "complete"],
  ["chunk", "finalize"],
  ["sign", "part", "chunk", "complete", "finalize"],
);

const calls = fc.oneof(
  // As they should come, then whatever may be asked of a file.
  fc
    .tuple(finishing, fc.shuffledSubarray(EVERY_CALL, { maxLength: 2 }))
    .map(([made, asked]): StoryCall[] => [...made, "content", ...asked]),
  fc.shuffledSubarray(EVERY_CALL, { minLength: 2, maxLength: 3 }),
  // The same twice, and what undoes it between.
  fc
    .tuple(fc.constantFrom(...EVERY_CALL), fc.constantFrom<StoryCall[]>("cancel", "delete", "complete", "finalize"))
    .map(([call, other]) => [call, other, call]),
);
const sender = fc.oneof(
  { weight: 6, arbitrary: fc.constant("owner" as const) },
  { weight: 1, arbitrary: fc.constantFrom("another", "administrator", "nobody") },
);

export const hostileStory: fc.Arbitrary<HostileStory> = fc.record({
  start: fc.constantFrom<HostileStory["start"][]>("direct", "in chunks", "in a form"),
  filename: fc.oneof(fc.constant("a file"), fc.constantFrom(...STRANGE_NAMES)),
  fileType: fc.constantFrom(...STRANGE_TYPES),
  sizeBytes: fc.constantFrom(0, 1, 5, 5, 70_000),
  steps: calls.chain((chosen) => fc.tuple(...chosen.map((call) => sender.map((who) => ({ call, sender: who }))))),
});

/** The call that starts the story's upload; its answer names the download id. */
export function startOf({ start, filename, fileType, sizeBytes }: HostileStory): StoryRequest {
  const file = { filename, fileType, expiration: "1d" };
  if (start === "direct") {
    return { path: "/api/direct-upload/presigned-url", init: asJson("POST", { ...file, fileSize: sizeBytes }) };
  }
  if (start === "in chunks") {
    const sizes = { totalSize: String(sizeBytes), totalChunks: "1" };
    return { path: "/api/chunked-upload/init", init: asJson("POST", { ...file, ...sizes }) };
  }
  const blob = new Blob([bytesOf(sizeBytes)], { type: fileType });
  return {
    path: "/api/direct-upload/proxy-upload",
    init: formInit({ filename: filename.toWellFormed(), expiration: "1d" }, "file", blob),
  };
}

/** One of the story's calls, with the ids of its upload. */
export function requestOf(call: StoryCall, sizeBytes: number, ids: RealIds): StoryRequest {
  const { path, init }: StoryRequest = CALLS[call](sizeBytes);
  const { body } = init;
  if (body instanceof FormData) fillInForm(body, ids);
  return { path: fillIn(path, ids), init: typeof body === "string" ? { ...init, body: fillIn(body, ids) } : init };
}

function fillInForm(form: FormData, ids: RealIds): void {
  for (const [name, value] of [...form]) if (typeof value === "string") form.set(name, fillIn(value, ids));
}

function formInit(fields: Record<string, string>, fileField: string, file: Blob): RequestInit {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(fileField, file, "a file");
  return { method: "POST", body: form };
}
