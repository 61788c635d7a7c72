import { toHex } from "#domain/bytes-as-text.ts";
import { GIB } from "#domain/units.ts";

/**
 * How much of a file one alarm hashes: this takes five to ten seconds of CPU, and as many seconds more to read the
 * bytes. An alarm has 30 s of CPU and 15 minutes (Workers platform limits).
 */
export const HASH_BITE_BYTES = GIB;

/** The state of a hash after the bytes so far, which can be stored. */
export interface Sha256State {
  /** How many bytes have been hashed, a multiple of 64. */
  bytes: number;
  /** Eight integers. */
  words: Int32Array;
}

const BLOCK_BYTES = 64;
const ROUNDS = 64;

/**
 * SHA-256 (FIPS 180-4) whose state can be stored, at a quarter of the platform's speed. The platform's own hashes cannot
 * be stored, and hash-wasm compiles WebAssembly while it runs, which Workers refuse.
 */
export class StoredSha256 {
  readonly #words: Int32Array;
  #bytes: number;
  /** The bytes that do not fill a block yet. */
  readonly #block = new Uint8Array(BLOCK_BYTES);

  constructor(state: Sha256State = { bytes: 0, words: INITIAL_WORDS }) {
    this.#bytes = state.bytes;
    this.#words = state.words.slice();
  }

  update(bytes: Uint8Array): this {
    let at = 0;
    const filled = this.#bytes % BLOCK_BYTES;
    if (filled > 0) {
      at = Math.min(BLOCK_BYTES - filled, bytes.length);
      this.#block.set(bytes.subarray(0, at), filled);
      if (filled + at === BLOCK_BYTES) compress(this.#words, this.#block);
    }
    if (filled === 0 || filled + at === BLOCK_BYTES) {
      const end = bytes.length - ((bytes.length - at) % BLOCK_BYTES);
      compress(this.#words, bytes.subarray(at, end));
      this.#block.set(bytes.subarray(end));
    }
    this.#bytes += bytes.length;
    return this;
  }

  /** @throws Error if the bytes so far end in the middle of a block */
  state(): Sha256State {
    if (this.#bytes % BLOCK_BYTES > 0) throw new Error(`${this.#bytes} bytes are no whole blocks`);
    return { bytes: this.#bytes, words: this.#words.slice() };
  }

  /** Ends the hash. @returns hexadecimal */
  digest(): string {
    const bits = BigInt(this.#bytes) * 8n;
    const zeros = (2 * BLOCK_BYTES - 9 - (this.#bytes % BLOCK_BYTES)) % BLOCK_BYTES;
    const end = new DataView(new ArrayBuffer(1 + zeros + 8));
    end.setUint8(0, 0x80);
    end.setBigUint64(1 + zeros, bits);
    this.update(new Uint8Array(end.buffer));
    const digest = new DataView(new ArrayBuffer(32));
    this.#words.forEach((word, index) => digest.setInt32(4 * index, word));
    return toHex(digest.buffer);
  }
}

/** The first 64 primes, whose roots are the constants of SHA-256. */
const PRIMES = Array.from({ length: 310 }, (_, index) => index + 2)
  .filter((candidate, _, all) => !all.some((smaller) => smaller < candidate && candidate % smaller === 0))
  .slice(0, ROUNDS);

/** The first 32 bits of a root behind the binary point. */
const fractionOf = (root: number) => ((root % 1) * 2 ** 32) | 0;
const INITIAL_WORDS = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));
const ROUND_WORDS = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)));
/** The message schedule of the block that is being hashed. */
const schedule = new Int32Array(ROUNDS);

/**
 * Hashes blocks. Everything is written out, because calls and lists would make this two to three times slower.
 * @param blocks the bytes of whole blocks
 */
function compress(words: Int32Array, blocks: Uint8Array): void {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  const w = schedule;
  for (let offset = 0; offset < blocks.byteLength; offset += BLOCK_BYTES) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(offset + 4 * i);
    for (let i = 16; i < ROUNDS; i += 1) {
      const x = w[i - 15] ?? 0;
      const y = w[i - 2] ?? 0;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = ((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0;
    }
    let a = words[0] ?? 0;
    let b = words[1] ?? 0;
    let c = words[2] ?? 0;
    let d = words[3] ?? 0;
    let e = words[4] ?? 0;
    let f = words[5] ?? 0;
    let g = words[6] ?? 0;
    let h = words[7] ?? 0;
    for (let i = 0; i < ROUNDS; i += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (ROUND_WORDS[i] ?? 0) + (w[i] ?? 0)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    words[0] = (words[0] ?? 0) + a;
    words[1] = (words[1] ?? 0) + b;
    words[2] = (words[2] ?? 0) + c;
    words[3] = (words[3] ?? 0) + d;
    words[4] = (words[4] ?? 0) + e;
    words[5] = (words[5] ?? 0) + f;
    words[6] = (words[6] ?? 0) + g;
    words[7] = (words[7] ?? 0) + h;
  }
}
