import { createCipheriv, createHash } from "node:crypto";

/** Pseudorandom numbers, reproducible from a seed. */
export class Seeded {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number {
    const digest = createHash("sha256").update(`${this.#seed}:${this.#drawn}`).digest();
    this.#drawn += 1;
    return min + (digest.readUIntBE(0, 6) % (max - min + 1));
  }
}

/** Pseudorandom bytes, reproducible from a seed. */
export function seededBytes(seed: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const key = createHash("sha256").update(seed).digest();
  const cipher = createCipheriv("aes-256-ctr", key, new Uint8Array(16));
  return new Uint8Array(cipher.update(new Uint8Array(sizeBytes)));
}
