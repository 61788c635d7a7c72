import { createHash } from "node:crypto";
import { request } from "node:http";
import { crc32 } from "node:zlib";
import type { Calls } from "#engine/calls.ts";
import type { DirectPorts, Hashers, Put, SealingPorts, TransferPorts } from "#engine/ports.ts";
import { networkFailure, rejection } from "#engine/put.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import { fingerprint } from "#engine/upload-source.ts";

const ignore = () => undefined;

/** For an upload of any kind that nobody watches. */
export const NO_EVENTS = {
  onStarted: ignore,
  onProgress: ignore,
  onTransport: ignore,
  onParts: ignore,
  onChunk: ignore,
  onEntries: ignore,
  onFinishing: ignore,
};

/** What Node has for sums. */
const nodeHashers: Hashers = {
  sha256: () => {
    let hash = createHash("sha256");
    const hasher = {
      init: () => {
        hash = createHash("sha256");
        return hasher;
      },
      update: (bytes: Uint8Array) => {
        hash.update(bytes);
        return hasher;
      },
      digest: () => hash.digest("hex"),
    };
    return Promise.resolve(hasher);
  },
  crc32: () => {
    let sum = 0;
    const hasher = {
      init: () => {
        sum = 0;
        return hasher;
      },
      update: (bytes: Uint8Array) => {
        sum = crc32(bytes, sum);
        return hasher;
      },
      digest: () => sum.toString(16).padStart(8, "0"),
    };
    return Promise.resolve(hasher);
  },
};

const put: Put = (url, body, { transport, contentType, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const headers = { "content-length": body.size, "content-type": contentType };
    const sending = request(url, { method: "PUT", headers, signal }, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => (text += piece.toString()));
      response.on("end", () => {
        const { statusCode: status = 0, headers: answered } = response;
        onProgress(body.size);
        if (status === 200) resolve({ etag: answered.etag ?? "", text });
        else reject(rejection(transport, status, text));
      });
    });
    sending.on("error", () => {
      reject(signal.aborted ? new DOMException("Upload aborted", "AbortError") : networkFailure(transport));
    });
    void body.arrayBuffer().then((bytes) => sending.end(new Uint8Array(bytes)));
  });

/** Keeps links for as long as it lives. */
export function linksInMemory(): SealingPorts["links"] & { kept: Map<string, KeptLink> } {
  const kept = new Map<string, KeptLink>();
  const found = (link: KeptLink | undefined) => Promise.resolve(link ?? null);
  return {
    kept,
    find: (downloadId) => found(kept.get(downloadId)),
    findUnfinished: (fingerprint) => found([...kept.values()].find((link) => link.fingerprint === fingerprint)),
    keep: (link) => Promise.resolve(void kept.set(link.downloadId, link)),
    change: async (downloadId, change) => {
      const link = kept.get(downloadId);
      if (link) await Promise.resolve(kept.set(downloadId, { ...link, ...change }));
    },
    forget: (downloadId) => Promise.resolve(void kept.delete(downloadId)),
  };
}

/** What the engine gets in a program: nothing of a browser. */
export function nodePorts(calls: Partial<Calls>, links = linksInMemory()): DirectPorts & TransferPorts {
  return {
    calls: { ...NO_CALLS, ...calls },
    online: { isOnline: () => true, whenOnline: () => Promise.resolve(), awaited: "there is a network" },
    warn: () => undefined,
    load: (load) => load(),
    sealing: () => {
      const sealer = new Sealer(nodeHashers);
      return Promise.resolve({
        startSealing: () => Promise.resolve({ ask: (asked) => sealer.answer(asked), stop: () => undefined }),
        hashPassword: notAsked,
        links,
      });
    },
    pictures: null,
    versionOf: fingerprint,
    put,
    live: () => {
      throw new Error("nobody listens");
    },
    startReading: () => {
      const reader = new ByteReader(nodeHashers);
      return Promise.resolve({ ask: (asked) => reader.answer(asked), stop: () => undefined });
    },
    removals: { read: () => [], write: () => undefined },
  };
}

const notAsked = () => Promise.reject(new Error("this test does not ask for it"));

const NO_CALLS: Calls = {
  me: () => Promise.resolve(null),
  startUpload: notAsked,
  signParts: notAsked,
  completeUpload: notAsked,
  cancelUpload: notAsked,
  noteFailure: null,
  fixCors: notAsked,
  partAddress: () => "",
  namesUploadOfPart: false,
  startTransfer: notAsked,
  sendBatch: notAsked,
  finishTransfer: notAsked,
  listEntries: notAsked,
  removeEntry: notAsked,
  sendPictures: null,
  objectPartAddress: () => "",
  unlock: notAsked,
  putManifest: notAsked,
};
