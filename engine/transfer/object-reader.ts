import type { Ports } from "../ports.ts";
import { NO_FILE, WRONG_LENGTH, type ReadAnswer, type ReadObject, type ObjectRequest } from "../read-messages.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { PartJob } from "./part-pipeline.ts";

/** Asks the reading thread. @param object the entries and the part that are read */
type Read = (request: ObjectRequest, object: ReadObject) => Promise<ReadAnswer>;

/** Reads the parts of objects, and finds files that change while they are sent. */
export class ObjectReader {
  readonly #sources: EntrySources;
  readonly #read: Read;
  readonly #ports: Pick<Ports, "versionOf">;
  /** The versions of large files that were read completely, by entry. */
  readonly #versions = new Map<number, string | null>();

  /** @param read asks the reading thread */
  constructor(sources: EntrySources, read: Read, ports: Pick<Ports, "versionOf">) {
    this.#sources = sources;
    this.#read = read;
    this.#ports = ports;
  }

  /** @returns the bytes. Failures have the position of their file in the object */
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

  /** @returns the entries of large files that have changed since they were read */
  async findChanged(): Promise<number[]> {
    const changed: number[] = [];
    for (const [n, version] of this.#versions) {
      const file = this.#sources.file(n);
      if (file && (await this.#versionOf(file)) !== version) changed.push(n);
    }
    return changed;
  }

  /** Forgets all versions, because entries get other numbers. */
  reset(): void {
    this.#versions.clear();
  }

  #versionOf(file: File): Promise<string | null> {
    return this.#ports.versionOf(file).catch(() => null);
  }

  /** The state of an entry whose file could not be read. @param part of its object, from 1 */
  async stateOf(n: number, error: string, part: number): Promise<"changed" | "unreadable"> {
    if (error === WRONG_LENGTH || part > 1) return "changed";
    const entry = this.#sources.get(n);
    if (!entry?.reload) return "unreadable";
    // Browsers report the same error for a changed file and for one that must not be read. Reading the file anew tells
    // the two cases apart.
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
