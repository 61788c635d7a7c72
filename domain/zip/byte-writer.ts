/** Writes numbers, their lowest byte first, and bytes, one after the other, into a buffer. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacityBytes: number) {
    this.#bytes = new Uint8Array(capacityBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for more bytes. The other methods expect that there is enough. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.written);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** What has been written: a view, not a copy. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#length, value);
    this.#length += 1;
  }

  u16(value: number): void {
    this.#view.setUint16(this.#length, value, true);
    this.#length += 2;
  }

  /** Takes a signed number too. */
  u32(value: number): void {
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  u64(value: number): void {
    this.#view.setBigUint64(this.#length, BigInt(value), true);
    this.#length += 8;
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}
