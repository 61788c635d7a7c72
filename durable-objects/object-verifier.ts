import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { GIB } from "#domain/units.ts";
import type { Database } from "#worker/db/client.ts";
import { saveSums, type VerifiedSum } from "#worker/db/entry-sums.ts";
import { transferObjectKey } from "#worker/storage/keys.ts";
import { correctSums } from "#worker/transfers/verified-sums.ts";
import type { Verification } from "./transfer-state.ts";
import type { TransferStore } from "./transfer-store.ts";

/** What one alarm reads: some twenty seconds' work. */
const BITE_BYTES = GIB;

interface Dependencies {
  bucket: R2Bucket;
  db: Database;
  store: TransferStore;
}

/**
 * Reads the large objects of a ready transfer back, since the sender's browser summed them. A wrong CRC-32 would make
 * every archiver reject the file.
 */
export class ObjectVerifier {
  readonly #deps: Dependencies;
  readonly #biteBytes: number;
  /** Of the object that is being read. An eviction loses it: the object keeps the sender's SHA-256 then. */
  #hash: { object: number; bytes: number; hash: Hash } | null = null;

  constructor(deps: Dependencies, biteBytes = BITE_BYTES) {
    this.#deps = deps;
    this.#biteBytes = biteBytes;
  }

  /** Reads on, by one bite. @returns how far it has come; null at the end @throws Error when storage does not answer */
  async verify(fileId: string, from: Verification): Promise<Verification | null> {
    const confirmed: VerifiedSum[] = [];
    const wrong: VerifiedSum[] = [];
    let at: Verification | null = from;
    for (let left = this.#biteBytes; at !== null && left > 0;) {
      const object = this.#deps.store.objects.nextInParts(at.object);
      if (!object) {
        at = null;
        break;
      }
      if (object.object !== at.object) at = { object: object.object, bytes: 0, crc32: 0 };
      const length = Math.min(left, object.sizeBytes - at.bytes);
      const read = await this.#read(fileId, at, length);
      left -= length;
      // Without its bytes, its file has been removed.
      if (read && read.bytes < object.sizeBytes) at = read;
      else at = { object: object.object + 1, bytes: 0, crc32: 0 };
      const n = object.runs[0]?.[0];
      if (read?.bytes !== object.sizeBytes || n === undefined) continue;
      const sum = { n, crc32: read.crc32, sha256: this.#takeHash(object.object) };
      if (sum.crc32 === object.sums?.[0]?.crc32) confirmed.push(sum);
      else wrong.push(sum);
    }
    const { db } = this.#deps;
    if (confirmed.length > 0) await saveSums(db, fileId, confirmed);
    if (wrong.length > 0) await correctSums(db, fileId, wrong, Date.now());
    return at;
  }

  /** @returns null without an object */
  async #read(fileId: string, at: Verification, length: number): Promise<Verification | null> {
    const range = { offset: at.bytes, length };
    const stored = await this.#deps.bucket.get(transferObjectKey(fileId, at.object), { range });
    if (!stored) return null;
    const hash = this.#hashUpTo(at);
    this.#hash = null;
    let sum = at.crc32;
    for await (const chunk of stored.body) {
      const bytes = chunk as Uint8Array;
      sum = crc32(bytes, sum);
      hash?.update(bytes);
    }
    const bytes = at.bytes + length;
    if (hash) this.#hash = { object: at.object, bytes, hash };
    return { object: at.object, bytes, crc32: sum };
  }

  #hashUpTo({ object, bytes }: Verification): Hash | null {
    if (bytes === 0) return createHash("sha256");
    return this.#hash?.object === object && this.#hash.bytes === bytes ? this.#hash.hash : null;
  }

  /** Hex. */
  #takeHash(object: number): string | null {
    const taken = this.#hash?.object === object ? this.#hash.hash.digest("hex") : null;
    this.#hash = null;
    return taken;
  }
}
