import { createCipheriv, createHash } from "node:crypto";

/** Numbers that look random and are the same for the same seed. Each stream of them is independent of the others. */
export class Seeded {
  readonly #seed: string;
  #drawn = 0;

  /** @param seed names the stream */
  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    const digest = createHash("sha256").update(`${this.#seed}:${this.#drawn}`).digest();
    this.#drawn += 1;
    return least + (digest.readUIntBE(0, 6) % (most - least + 1));
  }
}

/** Bytes of a file that look random and are the same for the same seed. */
export function seededBytes(seed: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const key = createHash("sha256").update(seed).digest();
  const cipher = createCipheriv("aes-256-ctr", key, new Uint8Array(16));
  return new Uint8Array(cipher.update(new Uint8Array(sizeBytes)));
}
