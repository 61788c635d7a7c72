import { parseObject, saidIn } from "#app/lib/api.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ChunkError } from "./errors.ts";

/** A chunk's request may take so long (specification 2 section 9). */
export const CHUNK_TIMEOUT_MS = 30 * SECOND_MS;

interface ChunkRequest {
  uploadId: string;
  /** From 0. */
  index: number;
  total: number;
  chunk: Blob;
  signal: AbortSignal;
  onProgress(sentBytes: number): void;
}

/**
 * Sends one chunk as a form.
 * @throws ChunkError; DOMException AbortError when aborted
 */
export function postChunk({ uploadId, index, total, chunk, signal, onProgress }: ChunkRequest): Promise<void> {
  const form = new FormData();
  form.set("uploadId", uploadId);
  form.set("chunkIndex", String(index));
  form.set("totalChunks", String(total));
  form.set("chunk", chunk);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const abort = () => {
      xhr.abort();
    };
    const tooLong = setTimeout(() => {
      reject(new ChunkError("timeout", (t) => t("uploadTimeout")));
      xhr.abort();
    }, CHUNK_TIMEOUT_MS);
    const settle = (act: () => void) => () => {
      clearTimeout(tooLong);
      signal.removeEventListener("abort", abort);
      act();
    };
    xhr.open("POST", "/api/chunked-upload/chunk");
    // Firefox parses an answer that has no type as XML, and reports an empty one as an error.
    xhr.responseType = "text";
    xhr.upload.onprogress = (event) => {
      onProgress(event.loaded);
    };
    xhr.onload = settle(() => {
      const failure = judge(xhr);
      if (failure) reject(failure);
      else resolve();
    });
    xhr.onerror = settle(() => {
      reject(new ChunkError("network", (t) => t("networkError")));
    });
    xhr.onabort = settle(() => {
      reject(new DOMException("Upload aborted", "AbortError"));
    });
    signal.addEventListener("abort", abort);
    xhr.send(form);
  });
}

/** @returns what is wrong with the answer, in the server's own words, which may be none */
function judge({ status, responseText }: XMLHttpRequest): ChunkError | null {
  const body = parseObject(responseText) ?? {};
  if (status === 200 && typeof body.receivedChunks === "number") return null;
  const words = () => saidIn(body) ?? "";
  if (status === 413) return new ChunkError("too-large", words, status);
  return new ChunkError(status >= 400 && status < 500 && status !== 429 ? "refused" : "unreadable", words, status);
}
