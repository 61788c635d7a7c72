import { MINUTE_MS } from "#domain/units.ts";

/** The bytes were not taken. Status 0: no answer came at all. */
export class PutError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "PutError";
    this.status = status;
  }
}

/** A body that nothing moves of for so long is given up, to be sent again. */
const STALLED_AFTER_MS = MINUTE_MS;

/** Storage's codes for a refused PUT (S3 API, Error Responses), in words. */
const STORAGE_REFUSALS: Record<string, string> = {
  InvalidAccessKeyId: "S3 refused the upload: it does not know the access key.",
  SignatureDoesNotMatch: "S3 refused the upload: the signature does not match the request.",
  AccessDenied: "S3 refused the upload: Access Denied.",
};

export interface PutOptions {
  contentType: string;
  signal: AbortSignal;
  /** Bytes of this body that have left so far. */
  onProgress(sentBytes: number): void;
  /** Without it there is no limit. */
  timeoutMs?: number;
}

/**
 * PUTs a body. XMLHttpRequest, because fetch cannot tell how much it has sent.
 * @returns the object's or part's ETag; "" where the store does not show it
 * @throws PutError; DOMException AbortError when aborted
 */
export function put(url: string, body: Blob, options: PutOptions): Promise<string> {
  const { contentType, signal, onProgress, timeoutMs = 0 } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const settled = new AbortController();
    let stalled: ReturnType<typeof setTimeout> | undefined;
    /** Ends the request, if it has not ended, and says how. */
    const settle = (act: () => void) => {
      settled.abort();
      clearTimeout(stalled);
      xhr.onabort = null;
      xhr.abort();
      act();
    };
    const lose = () => {
      settle(() => {
        reject(new PutError(0, "Network error during S3 upload"));
      });
    };
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(lose, STALLED_AFTER_MS);
    };
    xhr.open("PUT", url);
    xhr.timeout = timeoutMs;
    xhr.setRequestHeader("content-type", contentType);
    xhr.upload.onprogress = (event) => {
      watch();
      onProgress(event.loaded);
    };
    xhr.onload = () => {
      const { status } = xhr;
      const etag = xhr.getResponseHeader("etag") ?? "";
      const message = messageOf(xhr);
      settle(() => {
        if (status >= 200 && status < 300) resolve(etag);
        else reject(new PutError(status, message));
      });
    };
    xhr.onerror = lose;
    xhr.ontimeout = () => {
      settle(() => {
        reject(new PutError(0, "Server proxy upload timed out"));
      });
    };
    const abort = () => {
      settle(() => {
        reject(new DOMException("Upload aborted", "AbortError"));
      });
    };
    signal.addEventListener("abort", abort, { signal: settled.signal });
    // A line that is gone may take minutes to be noticed by the request itself.
    addEventListener("offline", lose, { signal: settled.signal });
    watch();
    xhr.send(body);
  });
}

/** Our server answers JSON, storage XML. */
function messageOf({ status, responseText }: XMLHttpRequest): string {
  const said = /"message":"((?:[^"\\]|\\.)*)"/.exec(responseText)?.[1];
  if (said !== undefined) return said;
  const code = /<Code>(\w+)<\/Code>/.exec(responseText)?.[1] ?? (status === 403 ? "AccessDenied" : "");
  return STORAGE_REFUSALS[code] ?? `S3 answered with status ${status}.`;
}
