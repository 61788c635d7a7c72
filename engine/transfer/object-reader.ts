import type { Ports } from "../ports.ts";
import { NO_FILE, WRONG_LENGTH, type ReadAnswer, type ReadObject, type ObjectRequest } from "../read-messages.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { PartJob } from "./part-pipeline.ts";

/** @param object what is read of */
type Read = (request: ObjectRequest, object: ReadObject) => Promise<ReadAnswer>;

/** Reads the parts of objects, and notices files that change meanwhile. */
export class ObjectReader {
  readonly #sources: EntrySources;
  readonly #read: Read;
  readonly #ports: Pick<Ports, "versionOf">;
  /** The versions of large files that were read to their ends, by entry. */
  readonly #versions = new Map<number, string | null>();

  /** @param read asks the reading thread */
  constructor(sources: EntrySources, read: Read, ports: Pick<Ports, "versionOf">) {
    this.#sources = sources;
    this.#read = read;
    this.#ports = ports;
  }

  /** @returns failures by their position in the object */
  async read({ object, part }: PartJob): Promise<ReadAnswer> {
    const files = object.numbers.map((n) => this.#sources.file(n));
    const missing = files.flatMap((file, index) => (file ? [] : [{ index, error: NO_FILE }]));
    const [file] = files;
    if (missing.length > 0 || !file) return failed(missing);
    if (object.isPack) {
      return this.#read(
        { kind: "bytes", blobs: files.filter((each) => each !== null) },
        { numbers: object.numbers, part },
      );
    }

    object.version ??= this.#versionOf(file);
    const before = await object.version;
    const read = await this.#read(
      { kind: "part", key: object.object, file, ...object.rangeOf(part) },
      { numbers: object.numbers, part },
    );
    if (read.failures.length > 0 || object.nextPart !== null) return read;
    if ((await this.#versionOf(file)) !== before) return failed([{ index: 0, error: WRONG_LENGTH }]);
    for (const n of object.numbers) this.#versions.set(n, before);
    return read;
  }

  /** @returns large files that are no longer as they were read */
  async findChanged(): Promise<number[]> {
    const changed: number[] = [];
    for (const [n, version] of this.#versions) {
      const file = this.#sources.file(n);
      if (file && (await this.#versionOf(file)) !== version) changed.push(n);
    }
    return changed;
  }

  /** Entries have other numbers from now on. */
  reset(): void {
    this.#versions.clear();
  }

  #versionOf(file: File): Promise<string | null> {
    return this.#ports.versionOf(file).catch(() => null);
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
