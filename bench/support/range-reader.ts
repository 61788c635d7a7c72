import { Reader } from "@zip.js/zip.js";

/** Reads a ZIP at an address by ranges, and counts the ranges. */
export class RangeReader extends Reader<string> {
  requests = 0;
  receivedBytes = 0;
  readonly #url: string;

  constructor(url: string, sizeBytes: number) {
    super(url);
    this.#url = url;
    this.size = sizeBytes;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(this.#url, { headers: { range: `bytes=${index}-${index + length - 1}` } });
    if (response.status !== 206) throw new Error(`a range answered ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.requests += 1;
    this.receivedBytes += bytes.byteLength;
    return bytes;
  }
}
