import type { Put, PutResponse } from "#engine/ports.ts";
import { networkFailure, PROXY_TIMEOUT_MS, proxyTimeout, rejection, STALL_TIMEOUT_MS } from "#engine/put.ts";

/**
 * Makes a PUT with XMLHttpRequest, because fetch reports no upload progress.
 * @param proxyHeaders for requests to our server
 */
export const putByXhr = (
  proxyHeaders: Record<string, string>,
  ...[url, body, { transport, contentType, signal, onProgress }]: Parameters<Put>
): Promise<PutResponse> =>
  new Promise<PutResponse>((resolve, reject) => {
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
    const fail = (error: Error) => settle(() => reject(error));
    const failByNetwork = () => fail(networkFailure(transport));
    const restartStallTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(failByNetwork, STALL_TIMEOUT_MS);
    };
    xhr.open("PUT", url);
    // Otherwise Firefox parses a response without a type as XML, and logs an error for an empty one.
    xhr.responseType = "text";
    xhr.setRequestHeader("content-type", contentType);
    if (transport === "proxy") {
      for (const [name, value] of Object.entries(proxyHeaders)) xhr.setRequestHeader(name, value);
    }
    xhr.upload.onprogress = (event) => {
      restartStallTimer();
      onProgress(event.loaded);
    };
    xhr.onload = () => {
      const { status, responseText: text } = xhr;
      const etag = xhr.getResponseHeader("etag") ?? "";
      if (status < 200 || status >= 300) {
        fail(rejection(transport, status, text));
      } else {
        settle(() => resolve({ etag, text }));
      }
    };
    xhr.onerror = failByNetwork;
    const abort = () => fail(new DOMException("Upload aborted", "AbortError"));
    signal.addEventListener("abort", abort, { signal: settled.signal });
    // The request itself may take minutes to notice a lost connection.
    addEventListener("offline", failByNetwork, { signal: settled.signal });
    restartStallTimer();
    if (transport === "proxy") {
      proxyTimer = setTimeout(() => fail(proxyTimeout()), PROXY_TIMEOUT_MS);
    }
    xhr.send(body);
  });
