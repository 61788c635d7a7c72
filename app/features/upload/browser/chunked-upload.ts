import { SECOND_MS } from "#domain/units.ts";
import { messageFromBody, parseObject } from "#engine/api-error.ts";
import { ChunkedUpload } from "#engine/chunked-upload.ts";
import { TransportError } from "#engine/errors.ts";
import type { ChunkRequest } from "#engine/ports.ts";
import type { UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { browserPorts } from "./browser-ports.ts";
import { withScreenOn } from "./screen-on.ts";

/** Fixed by the product specification (decision 024). */
const CHUNK_TIMEOUT_MS = 30 * SECOND_MS;

/** Creates an upload in chunks through our server. */
export function chunkedUpload(file: File, options: UploadOptions, events: UploadEvents): ChunkedUpload {
  return new ChunkedUpload({ ...browserPorts, postChunk }, file, options, events);
}

/** Sends one chunk as a form. @throws TransportError; DOMException AbortError when aborted */
function postChunk({ uploadId, index, total, chunk, mark, signal, onProgress }: ChunkRequest): Promise<void> {
  const form = new FormData();
  form.set("uploadId", uploadId);
  form.set("chunkIndex", String(index));
  form.set("totalChunks", String(total));
  form.set("chunk", chunk);
  if (mark !== undefined) form.set("mark", mark);
  return withScreenOn(
    () =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const xhr = new XMLHttpRequest();
        const abort = () => xhr.abort();
        const timeout = setTimeout(() => {
          reject(new TransportError("chunks", "timeout", { code: "uploadTimeout" }));
          xhr.abort();
        }, CHUNK_TIMEOUT_MS);
        const settle = (action: () => void) => () => {
          clearTimeout(timeout);
          signal.removeEventListener("abort", abort);
          action();
        };
        xhr.open("POST", "/api/chunked-upload/chunk");
        // Otherwise Firefox parses a response without a type as XML, and logs an error for an empty one.
        xhr.responseType = "text";
        xhr.upload.onprogress = (event) => onProgress(event.loaded);
        xhr.onload = settle(() => {
          const error = responseError(xhr);
          if (error) reject(error);
          else resolve();
        });
        xhr.onerror = settle(() => reject(new TransportError("chunks", "network", { code: "networkError" })));
        xhr.onabort = settle(() => reject(new DOMException("Upload aborted", "AbortError")));
        signal.addEventListener("abort", abort);
        xhr.send(form);
      }),
  );
}

/** @returns null if the server has stored the chunk */
function responseError({ status, responseText }: XMLHttpRequest): TransportError | null {
  const body = parseObject(responseText) ?? {};
  if (status === 200 && typeof body.receivedChunks === "number") return null;
  const failure = status >= 400 ? "rejected" : "unreadable";
  return new TransportError("chunks", failure, { message: messageFromBody(body) ?? "" }, status);
}
