import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { stretchesOf } from "#domain/segments.ts";
import { GIB } from "#domain/units.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { placeOf, type TransferObject } from "./object.ts";
import type { VerifiedSum } from "./ready-list.ts";
import type { Verification } from "./state.ts";
import type { TransferStore } from "./store.ts";

/** How many bytes one alarm reads: a GiB takes some twenty seconds. */
const BITE_BYTES = GIB;

interface Dependencies {
  bucket: R2Bucket;
  store: TransferStore;
  /** Called with the sums of the files that have been read, in the order of their numbers. */
  onVerified(fileId: string, sums: VerifiedSum[]): Promise<void>;
}

interface Reading {
  at: Verification;
  /** The hash of the object's bytes that have been read so far. */
  hash: Hash;
}

/**
 * Reads the large objects of a ready transfer back, because their sums come from the sender's browser. A wrong CRC-32
 * in the ZIP would make every archiver reject the file.
 */
export class ObjectVerifier {
  readonly #deps: Dependencies;
  readonly #biteBytes: number;
  /** The position and the hash after the last read. After an eviction, the object is read again from its start. */
  #reading: Reading | null = null;

  constructor(deps: Dependencies, biteBytes = BITE_BYTES) {
    this.#deps = deps;
    this.#biteBytes = biteBytes;
  }

  /**
   * Reads the next `BITE_BYTES`.
   * @returns the position after these bytes; null once all objects are read
   * @throws Error when storage does not answer
   */
  async verify(fileId: string, from: Verification): Promise<Verification | null> {
    const verified: VerifiedSum[] = [];
    let at: Verification | null = from;
    for (let left = this.#biteBytes; at !== null && left > 0;) {
      const object = this.#deps.store.objects.nextInParts(at.object);
      if (!object) {
        at = null;
        break;
      }
      if (object.object !== at.object || !this.#canReadOnFrom(at)) at = startOf(object.object);
      const length = Math.min(left, object.sizeBytes - at.bytes);
      const read = await this.#read(fileId, object, at, length);
      left -= length;
      // If storage has no such object, its file has been removed.
      if (read && read.at.bytes < object.sizeBytes) at = read.at;
      else at = startOf(object.object + 1);
      const n = object.runs[0]?.[0];
      if (read?.at.bytes !== object.sizeBytes || n === undefined) continue;
      verified.push({ n, crc32: read.at.crc32, sha256: read.hash.digest("hex") });
    }
    if (verified.length > 0) await this.#deps.onVerified(fileId, verified);
    return at;
  }

  #canReadOnFrom({ object, bytes }: Verification): boolean {
    if (bytes === 0) return true;
    return this.#reading?.at.object === object && this.#reading.at.bytes === bytes;
  }

  /** @returns null if storage has no such object */
  async #read(fileId: string, object: TransferObject, from: Verification, length: number): Promise<Reading | null> {
    // The hash is copied, so that a failed reading can be repeated.
    const hash = (from.bytes > 0 && this.#reading?.hash.copy()) || createHash("sha256");
    let sum = from.crc32;
    for (const { object: number, ...range } of stretchesOf(placeOf(object), from.bytes, from.bytes + length)) {
      const stored = await this.#deps.bucket.get(numberedKey(fileId, number), { range });
      if (!stored) return null;
      for await (const chunk of stored.body) {
        const bytes = chunk as Uint8Array;
        sum = crc32(bytes, sum);
        hash.update(bytes);
      }
    }
    this.#reading = { at: { object: from.object, bytes: from.bytes + length, crc32: sum }, hash };
    return this.#reading;
  }
}

function startOf(object: number): Verification {
  return { object, bytes: 0, crc32: 0 };
}
