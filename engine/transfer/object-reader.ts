import { fingerprint } from "../fingerprint.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { PartJob } from "./part-pipeline.ts";
import { NO_FILE, WRONG_LENGTH, type ReadAnswer, type ReadObject, type ReadRequest } from "./read-messages.ts";

/** @param object what is read of */
type Read = (request: ReadRequest, object: ReadObject) => Promise<ReadAnswer>;

/** Reads the parts of objects, and notices files that change meanwhile. */
export class ObjectReader {
  readonly #sources: EntrySources;
  readonly #read: Read;

  /** @param read in the reading thread */
  constructor(sources: EntrySources, read: Read) {
    this.#sources = sources;
    this.#read = read;
  }

  /** @returns failures by their position in the object */
  async read({ object, part }: PartJob): Promise<ReadAnswer> {
    const files = object.numbers.map((n) => this.#sources.file(n));
    const missing = files.flatMap((file, index) => (file ? [] : [{ index, error: NO_FILE }]));
    const [file] = files;
    if (missing.length > 0 || !file) return failed(missing);
    if (object.isPack) {
      return this.#read(
        { kind: "pack", files: files.filter((each) => each !== null) },
        { numbers: object.numbers, part },
      );
    }

    object.fingerprint ??= fingerprint(file).catch(() => null);
    const before = await object.fingerprint;
    const read = await this.#read(
      { kind: "part", key: object.object, file, ...object.rangeOf(part) },
      { numbers: object.numbers, part },
    );
    if (read.failures.length > 0 || object.nextPart !== null) return read;
    // Chromium fails the read of a file that has changed. Firefox hands out its new bytes without a word.
    const after = await fingerprint(file).catch(() => null);
    return after === before ? read : failed([{ index: 0, error: WRONG_LENGTH }]);
  }

  /** What becomes of an entry whose bytes could not be read. @param part of its object, from 1 */
  async stateOf(n: number, error: string, part: number): Promise<"changed" | "unreadable"> {
    if (error === WRONG_LENGTH || part > 1) return "changed";
    const entry = this.#sources.get(n);
    if (!entry?.reload) return "unreadable";
    // Browsers report a file that was changed and one that must not be read by the same error. A fresh look tells.
    try {
      const { size, lastModified } = await entry.reload();
      return size === entry.sizeBytes && Math.trunc(lastModified) === entry.modifiedMs ? "unreadable" : "changed";
    } catch {
      return "unreadable";
    }
  }
}

function failed(failures: ReadAnswer["failures"]): ReadAnswer {
  return { body: new Blob([]), crc32: "", sha256: null, failures };
}
