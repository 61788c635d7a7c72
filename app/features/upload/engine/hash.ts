/**
 * SHA-256 of a file, worked out in a thread of its own.
 * @param signal ends it early
 * @returns hex, or null when the file could not be read or the thread not be started
 */
export function hashFile(file: Blob, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./hash.worker.ts", import.meta.url), { type: "module" });
    const finish = (sha256: string | null) => {
      worker.terminate();
      signal.removeEventListener("abort", abort);
      resolve(sha256);
    };
    const abort = () => {
      finish(null);
    };
    worker.onmessage = (event: MessageEvent<string | null>) => {
      finish(event.data);
    };
    worker.onerror = abort;
    signal.addEventListener("abort", abort);
    worker.postMessage(file);
  });
}
