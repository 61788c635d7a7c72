import { TransferError, UploadError } from "#engine/errors.ts";
import type { Put } from "#engine/ports.ts";
import { networkFailure, PROXY_TIMEOUT_MS, proxyTimeout, rejection } from "#engine/put.ts";
import { fetchDirectly } from "./fetch.ts";

/** @param headers for our server, and for it alone @param onServerLost our server did not answer */
export function putWith(headers: Record<string, string>, onServerLost: () => void): Put {
  return async (url, body, { transport, contentType, signal, onProgress }) => {
    signal.throwIfAborted();
    const bytes = await readAll(body);
    const isOurs = transport === "proxy";
    const late = new AbortController();
    const abort = () => {
      late.abort();
    };
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
      if (error instanceof TransferError) throw error;
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
