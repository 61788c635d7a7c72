import { api, call } from "#app/lib/api.ts";
import { senderLive } from "#app/lib/live.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { manifestCalls } from "#app/lib/sealing/manifest-calls.ts";
import type { Calls, ChunkCalls } from "#engine/calls.ts";
import type { ChunkPorts, DirectPorts, Online, Put, PutResponse, RemovalStore, TransferPorts } from "#engine/ports.ts";
import { fingerprint } from "#engine/upload-source.ts";
import type { PictureToSend } from "#engine/upload-types.ts";
import { AnsweringThread } from "./answering-thread.ts";
import { withScreenOn } from "./screen-on.ts";
import { whenOnline } from "./when-online.ts";
import { putByXhr } from "./xhr-put.ts";

interface CallSettings {
  credentials?: RequestCredentials;
  headers?: Record<string, string>;
}

/**
 * The calls about uploads that have started. @param settings for each call; default: the settings for the signed-in
 * person
 */
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
    sendPictures: (downloadId, pictures, signal) =>
      call("POST /api/pictures/:downloadId", { params: { downloadId }, form: formOf(pictures), signal, ...settings() }),
    noteFailure: (downloadId, summary) =>
      call("POST /api/direct-upload/failed", { body: { downloadId, summary }, keepalive: true, ...settings() }),
  }) satisfies Partial<Calls>;

/** All calls of a page, as the signed-in person or as a visitor. */
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

/** The prefix of localStorage keys, followed by the id of the upload. */
const REMOVALS_KEY = "removed-entries/";

/**
 * Keeps the numbers of removed entries after the tab is closed. In a browser that stores nothing for sites, removals
 * are still sent to the server.
 */
const removalsInStorage: RemovalStore = {
  read(uploadId) {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(`${REMOVALS_KEY}${uploadId}`) ?? "[]");
      return Array.isArray(value) ? value.filter((n) => typeof n === "number") : [];
    } catch {
      return [];
    }
  },
  write(uploadId, numbers) {
    try {
      if (numbers.length > 0) localStorage.setItem(`${REMOVALS_KEY}${uploadId}`, JSON.stringify(numbers));
      else localStorage.removeItem(`${REMOVALS_KEY}${uploadId}`);
    } catch {
      // The browser stores nothing for this site.
    }
  },
};

/** Everything that the engine needs from a browser, as the signed-in person or as a visitor. */
export const browserPorts: DirectPorts & TransferPorts & Pick<ChunkPorts, "calls"> = {
  calls: browserCalls,
  online: browserOnline,
  put: (...args) => putWith({}, ...args),
  live: senderLive,
  removals: removalsInStorage,
  warn: (message) => console.warn(message),
  load: importWhenOnline,
  startReading: (signal) =>
    AnsweringThread.start(new Worker(new URL("./read-files.worker.ts", import.meta.url), { type: "module" }), signal),
  // The engine compares versions, because only Chromium fails to read a file that has changed since it was chosen.
  // Firefox reads the new bytes without an error.
  versionOf: fingerprint,
  pictures: {
    // A thread more takes a core that reading and sealing need on a smaller machine.
    atOnce: navigator.hardwareConcurrency >= 4 ? 2 : 1,
    make: async (...picture) => (await importWhenOnline(() => import("./pictures/make.client.ts"))).make(...picture),
  },
  sealing: async () => (await importWhenOnline(() => import("./sealing-ports.client.ts"))).sealingPorts,
};

/** Pictures as the server takes them: files named by number and kind, and the facts about them as texts. */
function formOf(pictures: readonly PictureToSend[]): FormData {
  const form = new FormData();
  for (const { n, kind, image, seconds, about } of pictures) {
    form.set(`${n}.${kind}`, image, `${n}.${kind}`);
    if (seconds !== undefined) form.set(`${n}.seconds`, String(seconds));
    if (about !== undefined) form.set(`${n}.about`, about);
  }
  return form;
}

/** Makes a PUT that keeps the screen on. @param proxyHeaders for requests to our server */
export const putWith = (proxyHeaders: Record<string, string>, ...put: Parameters<Put>): Promise<PutResponse> =>
  withScreenOn(() => putByXhr(proxyHeaders, ...put));
