import { MIB } from "#domain/units.ts";

const COLLECT_EVERY_BYTES = 16 * MIB;
/** V8 collects garbage after this many bytes of new buffers. The ballast is never written, so it takes no memory. */
const BALLAST_BYTES = 64 * MIB;

const { port1: portToNobody, port2: closedPort } = new MessageChannel();
closedPort.close();

/**
 * Frees buffers at once instead of with a later garbage collection. Transferred buffers belong to their message, and a
 * message to a closed port is dropped. (A port that is closed itself transfers nothing in Chromium, and
 * `ArrayBuffer.prototype.transfer` frees nothing while the object lives.)
 */
export function freeBuffers(buffers: ArrayBuffer[]): void {
  portToNobody.postMessage(null, buffers);
}

/**
 * Makes the browser collect unused Blobs. The bytes of Blobs are in the browser's main process, where the page's
 * garbage collector does not count them: hundreds of MB would pile up.
 */
export class BlobCollector {
  #bytes = 0;

  /** @param sizeBytes of a Blob that will be garbage soon */
  add(sizeBytes: number): void {
    this.#bytes += sizeBytes;
    if (this.#bytes < COLLECT_EVERY_BYTES) return;
    this.#bytes = 0;
    freeBuffers([new ArrayBuffer(BALLAST_BYTES)]);
  }
}
