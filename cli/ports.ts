import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { V1_PATH } from "#domain/v1/call.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import type { OpenedSeal, StartTransferAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { parseObject } from "#engine/api-error.ts";
import type { Calls } from "#engine/calls.ts";
import { TransportError, UploadError } from "#engine/errors.ts";
import type { DirectPorts, TransferPorts, Hasher, Hashers, Live, Put } from "#engine/ports.ts";
import { networkFailure, PROXY_TIMEOUT_MS, proxyTimeout, rejection } from "#engine/put.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import { hashPassword } from "../opener/password.ts";
import { EXIT, Failure } from "./failure.ts";
import { fetchDirectly, type Fetch } from "./net/fetch.ts";
import { type V1, collectItems, itemsOf, refusalOf } from "./net/v1.ts";
import { versionOf } from "./send/collect.ts";
import type { KeptLinks } from "./send/unfinished.ts";
import type { Connection } from "./session.ts";

interface Surroundings {
  v1: V1;
  line: Connection;
  keyId: string;
  links: KeptLinks;
  /** Whether every upload starts anew instead of resuming an unfinished one. */
  fresh: boolean;
  warn(message: string): void;
}

/** The engine's ports for a command line program. Reading and sealing run in the main thread. */
export function programPorts({ v1, line, keyId, links, fresh, warn }: Surroundings): DirectPorts & TransferPorts {
  const calls = callsOver(v1, line.fetch, { keyId, fresh });
  const lost = () => line.fail();
  return {
    calls,
    online: line,
    warn,
    load: (load) => load(),
    put: putWith(v1.headers, lost),
    live: liveWith(v1.origin, v1.headers, calls.idOf),
    // A program has nothing that decodes photographs.
    pictures: null,
    versionOf,
    startReading: () => {
      const reader = new ByteReader(nodeHashers);
      return Promise.resolve({
        ask: (request) => reader.answer(request),
        stop: () => reader.stop(),
      });
    },
    sealing: () =>
      Promise.resolve({
        startSealing: () => {
          const sealer = new Sealer(nodeHashers);
          return Promise.resolve({ ask: (request) => sealer.answer(request), stop: nothing });
        },
        hashPassword,
        links: fresh ? { ...links, findUnfinished: () => Promise.resolve(null) } : links,
      }),
    // The command line removes no file of a transfer.
    removals: { read: () => [], write: nothing },
  };
}

function nothing(): void {
  // `stop` and `write` have no work: there are no worker threads to end, and removals are not stored.
}

/** CRC-32 and SHA-256 by Node's own modules. */
const nodeHashers: Hashers = {
  sha256: () => Promise.resolve(new Sha256()),
  crc32: () => Promise.resolve(new Crc32()),
};

class Sha256 implements Hasher {
  #hash = createHash("sha256");

  init(): this {
    this.#hash = createHash("sha256");
    return this;
  }

  update(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    return this;
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

class Crc32 implements Hasher {
  #sum = 0;

  init(): this {
    this.#sum = 0;
    return this;
  }

  update(bytes: Uint8Array): this {
    this.#sum = crc32(bytes, this.#sum);
    return this;
  }

  digest(): string {
    return this.#sum.toString(16).padStart(8, "0");
  }
}

/** Node's WebSocket takes request headers, which browsers and the DOM types do not. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

/**
 * Opens the sender's socket of an upload. Behind a proxy sockets do not open: the upload works all the same, but
 * watchers of its link see no live progress.
 * @param idOf the id of the upload behind a link
 */
function liveWith(origin: string, headers: Record<string, string>, idOf: (downloadId: string) => string): Live {
  return (downloadId, { onOpen, onMessage, onClose }) => {
    const address = `${origin.replace(/^http/, "ws")}${V1_PATH}/uploads/${idOf(downloadId)}/socket`;
    const socket = new NodeWebSocket(address, { headers });
    socket.addEventListener("open", onOpen);
    socket.addEventListener("message", ({ data }) => onMessage(data));
    socket.addEventListener("close", onClose);
    return socket;
  };
}

/** @param headers for our server only, never for storage @param onServerLost called when our server does not answer */
export function putWith(headers: Record<string, string>, onServerLost: () => void): Put {
  return async (url, body, { transport, contentType, signal, onProgress }) => {
    signal.throwIfAborted();
    const bytes = await readAll(body);
    const isOurs = transport === "proxy";
    const late = new AbortController();
    const abort = () => late.abort();
    const timer = isOurs ? setTimeout(abort, PROXY_TIMEOUT_MS) : undefined;
    try {
      const response = await fetchDirectly(url, {
        method: "PUT",
        headers: { "content-type": contentType, ...(isOurs && headers) },
        body: bytes,
        signal: AbortSignal.any([signal, late.signal]),
        onProgress,
      });
      const text = await response.text();
      if (!response.ok) throw rejection(transport, response.status, text);
      return { etag: response.headers.get("etag") ?? "", text };
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (signal.aborted) throw new DOMException("Upload aborted", "AbortError");
      if (late.signal.aborted) throw proxyTimeout();
      if (isOurs) onServerLost();
      throw networkFailure(transport);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** @throws UploadError for a file that is gone or has changed */
async function readAll(body: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    throw new UploadError({ code: "fileChanged" }, { cause: error });
  }
}

interface ProgramCalls extends Calls {
  /** The id of an upload that this process started. */
  idOf(downloadId: string): string;
}

interface Choice {
  /** Names the API key: the server keeps the unfinished uploads of each key apart. */
  keyId: string;
  /** Whether every upload starts anew instead of resuming an unfinished one. */
  fresh: boolean;
}

/** The engine's calls, made over `/api/v1`. Pages name an upload by its link, v1 names an upload by its id. */
function callsOver(v1: V1, fetch: Fetch, { keyId, fresh }: Choice): ProgramCalls {
  const ids = new Map<string, string>();
  const startKeys = new WeakMap<object, string>();
  const idOf = (downloadId: string) => ids.get(downloadId) ?? "";
  const paramsOf = (downloadId: string) => ({ id: idOf(downloadId) });
  /** A retried start has the same idempotency key as the first try, so that it does not start a second upload. */
  const startKeyOf = (body: object) => {
    const key = startKeys.get(body) ?? crypto.randomUUID();
    startKeys.set(body, key);
    return key;
  };
  const unknown = fresh ? { fingerprint: null } : {};
  return {
    idOf,
    me: () => Promise.resolve({ id: keyId }),
    startUpload: async (body) => {
      const { filename: name, fileType: type, fileSize: size, expiration, expirationChosen, ...rest } = body;
      const expires = expirationChosen ? expiration : undefined;
      const startKey = startKeyOf(body);
      const answer = await v1.call("startUpload", {
        body: { ...rest, ...unknown, name, type, size, expires },
        startKey,
      });
      ids.set(answer.downloadId, answer.id);
      return uploadOf(answer);
    },
    signParts: ({ downloadId, ...body }, signal) =>
      v1.call("signParts", { params: paramsOf(downloadId), body, signal }),
    completeUpload: async ({ downloadId, summary: _summary, ...body }, signal) => {
      const finished = await v1.call("completeUpload", { params: paramsOf(downloadId), body, signal });
      return { ...finished, shareUrl: finished.link, filename: finished.name };
    },
    noteFailure: null,
    cancelUpload: (downloadId) => v1.call("cancelUpload", { params: paramsOf(downloadId) }),
    // Programs need no CORS. `readMe` shows whether the server is unreachable too, or storage alone.
    fixCors: (signal) => v1.call("readMe", { signal }),
    namesUploadOfPart: false,
    partAddress: (downloadId, part, crc32) =>
      v1.addressOf("sendPart", { params: { ...paramsOf(downloadId), part }, query: { crc32 } }),
    startTransfer: async (body) => {
      const { expiration, expirationChosen, ...rest } = body;
      const expires = expirationChosen ? expiration : undefined;
      const startKey = startKeyOf(body);
      const answer = await v1.call("startTransfer", { body: { ...rest, ...unknown, expires }, startKey });
      ids.set(answer.downloadId, answer.id);
      return transferOf(answer);
    },
    sendBatch: (downloadId, body, signal) => v1.call("addFiles", { params: paramsOf(downloadId), body, signal }),
    finishTransfer: async (downloadId, { summary: _summary, ...body }, signal) => {
      const options = { params: paramsOf(downloadId), body, signal };
      const finished = await v1.call("completeTransfer", options);
      return { ...finished, shareUrl: finished.link, filename: finished.name };
    },
    listEntries: async (downloadId, from, signal) => {
      const read = (cursor = String(from)) =>
        v1.call("listTransferFiles", { params: paramsOf(downloadId), query: { cursor }, signal });
      const items = await collectItems(itemsOf(read));
      const entries = items.map(({ name: path, ...entry }) => ({ path, ...entry }));
      return { entries, total: from + entries.length };
    },
    removeEntry: () => Promise.reject(new Failure(EXIT.fault, "The command line removes no file of a transfer.")),
    sendPictures: null,
    objectPartAddress: (downloadId, object, part) =>
      v1.addressOf("sendObjectPart", { params: { ...paramsOf(downloadId), object, part } }),
    unlock: async (downloadId, access) => {
      // v1 has no call for the opened seal of a link, because only programs with the link's key can read it.
      const response = await fetch(`${v1.origin}/api/files/download/${downloadId}/unlock`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ access }),
      });
      const text = await response.text();
      if (!response.ok) throw refusalOf(response.status, text);
      // The engine checks the fields of the seal with the link's keys.
      return parseObject(text) as unknown as OpenedSeal;
    },
    putManifest: (id, body, signal) => v1.call("putManifest", { params: { id }, body, signal }),
  };
}

/** Renames the fields of v1's answer to the fields of the pages' call. */
function uploadOf(answer: CallAnswer<"startUpload">): StartUploadAnswer {
  const { id: uploadId, link: shareUrl, upload, ...rest } = answer;
  const { kind, partSize, partCount, urls, headers } = upload;
  const isInParts = kind === "parts" && partSize !== undefined && partCount !== undefined;
  return {
    ...rest,
    uploadId,
    shareUrl,
    urls,
    presignedUrl: urls[0]?.url ?? "",
    fileData: { contentType: headers["content-type"] ?? "" },
    ...(isInParts && { multipart: { partSizeBytes: partSize, partCount } }),
  };
}

function transferOf({ id: uploadId, link: shareUrl, ...rest }: CallAnswer<"startTransfer">): StartTransferAnswer {
  return { ...rest, uploadId, shareUrl };
}
