import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Hasher, Hashers } from "#engine/ports.ts";

/** Node's own sums. */
export const nodeHashers: Hashers = {
  sha256: () => Promise.resolve(new Sha256()),
  crc32: () => Promise.resolve(new Crc32()),
};

class Sha256 implements Hasher {
  #hash = createHash("sha256");

  init(): this {
    this.#hash = createHash("sha256");
    return this;
  }

  update(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    return this;
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

class Crc32 implements Hasher {
  #sum = 0;

  init(): this {
    this.#sum = 0;
    return this;
  }

  update(bytes: Uint8Array): this {
    this.#sum = crc32(bytes, this.#sum);
    return this;
  }

  digest(): string {
    return this.#sum.toString(16).padStart(8, "0");
  }
}
