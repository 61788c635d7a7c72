import { api, call } from "#app/lib/api.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { manifestCalls } from "#app/lib/sealing/manifest-calls.ts";
import type { Calls, ChunkCalls } from "#engine/calls.ts";
import type { ChunkPorts, Ports, Online } from "#engine/ports.ts";
import { fingerprint } from "#engine/upload-source.ts";
import { AnsweringThread } from "./answering-thread.ts";

interface CallSettings {
  credentials?: RequestCredentials;
  headers?: Record<string, string>;
}

/** Calls about what has started. @param settings go with each; default: as whoever is signed in */
export const startedCalls = (settings: () => CallSettings = () => ({})) =>
  ({
    sendBatch: (id, body, signal) =>
      call("POST /api/transfers/:downloadId/batch", { params: { downloadId: id }, body, signal, ...settings() }),
    finishTransfer: (id, body, signal) =>
      call("POST /api/transfers/:downloadId/finish", { params: { downloadId: id }, body, signal, ...settings() }),
    listEntries: (id, start, signal) => {
      const query = { from: String(start) };
      return call("GET /api/files/download/:downloadId/entries", {
        params: { downloadId: id },
        query,
        signal,
        ...settings(),
      });
    },
    removeEntry: (id, n, signal) =>
      call("DELETE /api/files/:id/entries/:n", { params: { id, n: String(n) }, signal, ...settings() }),
    cancelUpload: (downloadId, summary) =>
      call("POST /api/direct-upload/cancel", { body: { downloadId, summary }, keepalive: true, ...settings() }),
    noteFailure: (downloadId, summary) =>
      call("POST /api/direct-upload/failed", { body: { downloadId, summary }, keepalive: true, ...settings() }),
  }) satisfies Partial<Calls>;

/** The calls of a page, as whoever is signed in. */
export const browserCalls: ChunkCalls = {
  ...manifestCalls,
  ...startedCalls(),
  me: api.me,
  startUpload: (body) => call("POST /api/direct-upload/presigned-url", { body }),
  signParts: (body, signal) => call("POST /api/direct-upload/sign-parts", { body, signal }),
  completeUpload: (body, signal) => call("POST /api/direct-upload/complete", { body, signal }),
  fixCors: (signal) => call("POST /api/diagnostics/public-fix-cors", { signal }),
  partAddress: (downloadId, part, crc32) =>
    `/api/direct-upload/parts/${downloadId}/${part}${crc32 === undefined ? "" : `?crc32=${crc32}`}`,
  namesUploadOfPart: true,
  initChunked: (body) => call("POST /api/chunked-upload/init", { body }),
  finalizeChunked: (body, signal) => call("POST /api/chunked-upload/finalize", { body, signal }),
  startTransfer: (body) => call("POST /api/transfers", { body }),
  objectPartAddress: (downloadId, object, part) => `/api/transfers/${downloadId}/objects/${object}/${part}`,
};

const browserOnline: Online = {
  isOnline: () => navigator.onLine,
  whenOnline,
  awaited: "the browser is online",
};

/** What every upload of a page stands on. */
export const browserPorts: Ports & Pick<ChunkPorts, "calls"> = {
  calls: browserCalls,
  online: browserOnline,
  warn: (message) => console.warn(message),
  load: importWhenOnline,
  startReading: (signal) =>
    AnsweringThread.start(new Worker(new URL("./read-files.worker.ts", import.meta.url), { type: "module" }), signal),
  // Chromium fails the read of a file that has changed. Firefox hands out its new bytes without a word.
  versionOf: fingerprint,
  sealing: async () => (await importWhenOnline(() => import("./sealing-ports.client.ts"))).sealingPorts,
};

function whenOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    if (navigator.onLine) {
      resolve();
      return;
    }
    const settled = new AbortController();
    addEventListener(
      "online",
      () => {
        settled.abort();
        resolve();
      },
      { signal: settled.signal },
    );
    signal.addEventListener(
      "abort",
      () => {
        settled.abort();
        reject(new DOMException("Upload aborted", "AbortError"));
      },
      { signal: settled.signal },
    );
  });
}
