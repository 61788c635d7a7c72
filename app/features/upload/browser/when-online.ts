/** Resolves once the browser is online. @throws DOMException AbortError when aborted */
export function whenOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    if (navigator.onLine) {
      resolve();
      return;
    }
    const settled = new AbortController();
    addEventListener(
      "online",
      () => {
        settled.abort();
        resolve();
      },
      { signal: settled.signal },
    );
    signal.addEventListener(
      "abort",
      () => {
        settled.abort();
        reject(new DOMException("Upload aborted", "AbortError"));
      },
      { signal: settled.signal },
    );
  });
}
