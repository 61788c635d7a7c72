/** Hashes in a Web Worker. @returns SHA-256 in hex; null if the file or worker fails, or `signal` aborts */
export function hashFile(file: Blob, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./hash.worker.ts", import.meta.url), { type: "module" });
    const finish = (sha256: string | null) => {
      worker.terminate();
      signal.removeEventListener("abort", fail);
      resolve(sha256);
    };
    const fail = () => finish(null);
    worker.onmessage = (event: MessageEvent<string | null>) => finish(event.data);
    worker.onerror = fail;
    signal.addEventListener("abort", fail);
    worker.postMessage(file);
  });
}
