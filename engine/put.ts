import { messageFromBody, parseObject } from "./api-error.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { TransferError, type UploadProblem } from "./errors.ts";
import type { PutRoute } from "./upload-types.ts";

/** Aborts a PUT that has sent nothing for this long. */
const STALL_TIMEOUT_MS = MINUTE_MS;

/** For a whole PUT through our server (decision 024). */
const PROXY_TIMEOUT_MS = 5 * MINUTE_MS;

/** By S3's error code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const STORAGE_PROBLEMS: Record<string, UploadProblem> = {
  InvalidAccessKeyId: { code: "invalidAccessKey" },
  SignatureDoesNotMatch: { code: "signatureMismatch" },
  AccessDenied: { code: "accessDenied" },
};

interface PutOptions {
  transport: PutRoute;
  contentType: string;
  signal: AbortSignal;
  onProgress(sentBytes: number): void;
}

export interface PutResponse {
  /** Of the object or part; "" if storage does not expose it. */
  etag: string;
  text: string;
}

/**
 * Uses XMLHttpRequest, because fetch reports no upload progress.
 * @throws TransferError; DOMException AbortError when aborted
 */
export function put(
  url: string,
  body: Blob,
  { transport, contentType, signal, onProgress }: PutOptions,
): Promise<PutResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const settled = new AbortController();
    let stallTimer: ReturnType<typeof setTimeout> | undefined;
    let proxyTimer: ReturnType<typeof setTimeout> | undefined;
    const settle = (action: () => void) => {
      settled.abort();
      clearTimeout(stallTimer);
      clearTimeout(proxyTimer);
      xhr.onabort = null;
      xhr.abort();
      action();
    };
    const fail = (error: Error) => {
      settle(() => {
        reject(error);
      });
    };
    const failByNetwork = () => {
      const code = transport === "direct" ? "directNetworkError" : "proxyNetworkError";
      fail(new TransferError(transport, "network", { code }));
    };
    const restartStallTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(failByNetwork, STALL_TIMEOUT_MS);
    };
    xhr.open("PUT", url);
    // Otherwise Firefox parses a response without a type as XML, and logs an error for an empty one.
    xhr.responseType = "text";
    xhr.setRequestHeader("content-type", contentType);
    xhr.upload.onprogress = (event) => {
      restartStallTimer();
      onProgress(event.loaded);
    };
    xhr.onload = () => {
      const { status, responseText: text } = xhr;
      const etag = xhr.getResponseHeader("etag") ?? "";
      if (status < 200 || status >= 300) {
        fail(new TransferError(transport, "rejected", problemOf(transport, status, text), status));
      } else {
        settle(() => {
          resolve({ etag, text });
        });
      }
    };
    xhr.onerror = failByNetwork;
    const abort = () => {
      fail(new DOMException("Upload aborted", "AbortError"));
    };
    signal.addEventListener("abort", abort, { signal: settled.signal });
    // The request itself may take minutes to notice a lost connection.
    addEventListener("offline", failByNetwork, { signal: settled.signal });
    restartStallTimer();
    if (transport === "proxy") {
      proxyTimer = setTimeout(() => {
        fail(new TransferError(transport, "timeout", { code: "proxyTimedOut" }));
      }, PROXY_TIMEOUT_MS);
    }
    xhr.send(body);
  });
}

/** Our server answers JSON, storage XML. */
function problemOf(transport: PutRoute, status: number, responseText: string): UploadProblem {
  if (transport === "proxy") {
    const message = messageFromBody(parseObject(responseText) ?? {});
    return message === null ? { code: "serverStatus", status } : { code: "serverMessage", message };
  }
  const code = /<Code>(\w+)<\/Code>/.exec(responseText)?.[1] ?? (status === 403 ? "AccessDenied" : "");
  return STORAGE_PROBLEMS[code] ?? { code: "storageStatus", status };
}
