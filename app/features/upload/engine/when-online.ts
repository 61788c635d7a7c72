/**
 * Resolves once the browser is online: at once, or when it says so. Going offline pauses an upload, and coming online
 * goes on without a click.
 */
export function whenOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    if (navigator.onLine) {
      resolve();
      return;
    }
    const stop = new AbortController();
    addEventListener(
      "online",
      () => {
        stop.abort();
        resolve();
      },
      { signal: stop.signal },
    );
    signal.addEventListener(
      "abort",
      () => {
        stop.abort();
        reject(new DOMException("Upload aborted", "AbortError"));
      },
      { signal: stop.signal },
    );
  });
}
