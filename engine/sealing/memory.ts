import { MIB } from "#domain/units.ts";

const COLLECT_EVERY_BYTES = 16 * MIB;
/** V8 collects garbage after this much of new buffers. Nobody writes to it, so it takes no memory. */
const BALLAST_BYTES = 64 * MIB;

const { port1: closedPort } = new MessageChannel();
closedPort.close();

/**
 * Frees buffers at once, and not with a later garbage collection. Transferred buffers belong to their message, and a
 * closed port drops messages. (`ArrayBuffer.prototype.transfer` frees nothing in Chromium while the object lives.)
 */
export function freeBuffers(buffers: ArrayBuffer[]): void {
  closedPort.postMessage(null, buffers);
}

/**
 * Has Blobs collected that nobody uses any more. Their bytes are in the browser's own process, where the garbage
 * collector does not see them: hundreds of MB would pile up.
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
