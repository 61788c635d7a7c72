import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { V1_PATH } from "#domain/v1/call.ts";
import type { OpenedSeal } from "#domain/wire.ts";
import { parseObject } from "#engine/api-error.ts";
import type { Calls } from "#engine/calls.ts";
import { TransportError, UploadError } from "#engine/errors.ts";
import type { DirectPorts, TransferPorts, Hasher, Hashers, Live, Put } from "#engine/ports.ts";
import { networkFailure, PROXY_TIMEOUT_MS, proxyTimeout, rejection } from "#engine/put.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import { hashPassword } from "../opener/password.ts";
import { engineCalls } from "./net/engine-calls.ts";
import { fetchDirectly, type Fetch } from "./net/fetch.ts";
import { refusalOf, type V1 } from "./net/v1.ts";
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
  const calls = engineCalls(v1, { keyId, fresh, unlock: unlockOver(v1, line.fetch) });
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

/** v1 has no call for the opened seal of a link, because only programs with the link's key can read it. */
function unlockOver({ origin }: V1, fetch: Fetch): Calls["unlock"] {
  return async (downloadId, access) => {
    const response = await fetch(`${origin}/api/files/download/${downloadId}/unlock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ access }),
    });
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, text);
    // The engine checks the fields of the seal with the link's keys.
    return parseObject(text) as unknown as OpenedSeal;
  };
}
