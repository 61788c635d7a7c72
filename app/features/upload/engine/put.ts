import { parseObject, saidIn } from "#app/lib/api.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { PutError, type ErrorText } from "./errors.ts";

/** The ways the bytes can travel, fastest first: straight to storage, or through our own server. */
export type PutRoute = "direct" | "proxy";

/** A body that nothing moves of for so long is given up, to be sent again. */
const STALLED_AFTER_MS = MINUTE_MS;

/** A PUT through our own server may take so long (specification 1 section 9). */
export const PROXY_TIMEOUT_MS = 5 * MINUTE_MS;

/** Storage's codes for a refused PUT (S3 API, Error Responses), in words. */
const STORAGE_REFUSALS: Record<string, ErrorText> = {
  InvalidAccessKeyId: (t) => t("invalidAccessKey"),
  SignatureDoesNotMatch: (t) => t("signatureMismatch"),
  AccessDenied: (t) => t("accessDenied"),
};

export interface PutOptions {
  transport: PutRoute;
  contentType: string;
  signal: AbortSignal;
  /** Bytes of this body that have left so far. */
  onProgress(sentBytes: number): void;
}

export interface PutAnswer {
  /** The object's or part's; "" where the store does not show it. */
  etag: string;
  text: string;
}

/**
 * PUTs a body. XMLHttpRequest, because fetch cannot tell how much it has sent.
 * @throws PutError; DOMException AbortError when aborted
 */
export function put(
  url: string,
  body: Blob,
  { transport, contentType, signal, onProgress }: PutOptions,
): Promise<PutAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const settled = new AbortController();
    let stalled: ReturnType<typeof setTimeout> | undefined;
    let tooLong: ReturnType<typeof setTimeout> | undefined;
    /** Ends the request, if it has not ended, and says how. */
    const settle = (act: () => void) => {
      settled.abort();
      clearTimeout(stalled);
      clearTimeout(tooLong);
      xhr.onabort = null;
      xhr.abort();
      act();
    };
    const fail = (error: Error) => {
      settle(() => {
        reject(error);
      });
    };
    const lose = () => {
      fail(new PutError("network", (t) => t(transport === "direct" ? "directNetworkError" : "proxyNetworkError")));
    };
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(lose, STALLED_AFTER_MS);
    };
    xhr.open("PUT", url);
    // Firefox parses an answer that has no type as XML, and reports an empty one as an error.
    xhr.responseType = "text";
    xhr.setRequestHeader("content-type", contentType);
    xhr.upload.onprogress = (event) => {
      watch();
      onProgress(event.loaded);
    };
    xhr.onload = () => {
      const { status, responseText: text } = xhr;
      const etag = xhr.getResponseHeader("etag") ?? "";
      if (status < 200 || status >= 300) fail(new PutError("refused", wordsOf(transport, status, text), status));
      else {
        settle(() => {
          resolve({ etag, text });
        });
      }
    };
    xhr.onerror = lose;
    const abort = () => {
      fail(new DOMException("Upload aborted", "AbortError"));
    };
    signal.addEventListener("abort", abort, { signal: settled.signal });
    // A line that is gone may take minutes to be noticed by the request itself.
    addEventListener("offline", lose, { signal: settled.signal });
    watch();
    if (transport === "proxy") {
      tooLong = setTimeout(() => {
        fail(new PutError("timeout", (t) => t("proxyTimedOut")));
      }, PROXY_TIMEOUT_MS);
    }
    xhr.send(body);
  });
}

/** Our server answers JSON, storage XML. */
function wordsOf(transport: PutRoute, status: number, text: string): ErrorText {
  if (transport === "proxy") {
    const said = saidIn(parseObject(text) ?? {});
    return (t) => said ?? t("serverStatus", { status });
  }
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? (status === 403 ? "AccessDenied" : "");
  return STORAGE_REFUSALS[code] ?? ((t) => t("storageStatus", { status }));
}
