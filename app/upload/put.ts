/** Storage did not take the bytes. Status 0: no answer came at all. */
export class PutError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(messageFor(status));
    this.name = "PutError";
    this.status = status;
  }
}

function messageFor(status: number): string {
  if (status === 0) return "Network error during S3 upload";
  if (status === 403) return "Storage refused the upload: its permission has run out or does not fit the file.";
  if (status === 404) return "Storage no longer knows this upload.";
  return `Storage answered with status ${status}.`;
}

export interface PutOptions {
  contentType: string;
  signal: AbortSignal;
  /** Bytes of this body that have left so far. */
  onProgress(sentBytes: number): void;
}

/**
 * PUTs a body to a presigned URL. XMLHttpRequest, because fetch cannot tell how much it has sent.
 * @returns the object's or part's ETag; "" where the store does not show it
 * @throws PutError; the signal's reason when aborted
 */
export function put(url: string, body: Blob, { contentType, signal, onProgress }: PutOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const abort = () => {
      xhr.abort();
    };
    const settle = (act: () => void) => () => {
      signal.removeEventListener("abort", abort);
      act();
    };
    xhr.open("PUT", url);
    xhr.setRequestHeader("content-type", contentType);
    xhr.upload.onprogress = (event) => {
      onProgress(event.loaded);
    };
    xhr.onload = settle(() => {
      if (xhr.status >= 200 && xhr.status < 300) resolve(xhr.getResponseHeader("etag") ?? "");
      else reject(new PutError(xhr.status));
    });
    xhr.onerror = settle(() => {
      reject(new PutError(0));
    });
    xhr.onabort = settle(() => {
      reject(toError(signal.reason));
    });
    signal.addEventListener("abort", abort);
    xhr.send(body);
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException("Upload aborted", "AbortError");
}
