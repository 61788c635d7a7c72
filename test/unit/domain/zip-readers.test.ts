// @module-tag long
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import SevenZip from "7z-wasm";
import { Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { layOutZip, zipPieces, type ZipLayout } from "#domain/zip.ts";
import { CORPUS, isInstant, layOutCorpus, type CorpusName } from "#test/support/archives/corpus.ts";
import { readZip, type PackedFile } from "#test/support/archives/packed.ts";

const GIB = 1024 ** 3;

type Archive = Uint8Array<ArrayBuffer>;

const READERS: Record<string, (archive: Archive, name: CorpusName) => Promise<PackedFile[]> | PackedFile[]> = {
  yauzl: async (archive) => {
    const zip = await fromBufferPromise(await buffer(Readable.from([archive])), { strictFileNames: true });
    const found: PackedFile[] = [];
    for await (const entry of zip.eachEntry()) {
      const bytes = new Uint8Array(await buffer(await zip.openReadStreamPromise(entry)));
      found.push({ path: entry.fileName, bytes, modifiedMs: entry.getLastModDate({ timezone: "UTC" }).getTime() });
    }
    return found;
  },
  "zip.js": async (archive) => {
    const options = { strictness: "strict", checkSignature: true, useWebWorkers: false } as const;
    const zip = new ZipReader(new Uint8ArrayReader(archive), options);
    const found: PackedFile[] = [];
    for (const entry of await zip.getEntries()) {
      const bytes = entry.directory ? new Uint8Array() : new Uint8Array(await entry.arrayBuffer());
      found.push({ path: entry.filename, bytes, modifiedMs: entry.lastModDate.getTime() });
    }
    return found;
  },
  // It tells no dates.
  fflate: (archive, name) =>
    Object.entries(unzipSync(archive)).map(([path, bytes], n) => {
      return { path, bytes, modifiedMs: CORPUS[name][n]?.modifiedMs ?? 0 };
    }),
  "7-Zip": async (archive, name) => {
    const lines: string[] = [];
    const { FS, callMain } = await SevenZip({
      print: (line) => lines.push(line),
      printErr: (line) => lines.push(line),
    });
    FS.writeFile("/archive.zip", archive);
    callMain(["x", "/archive.zip", "-o/out"]);
    const output = lines.join("\n");
    expect(output).toContain("Everything is Ok");
    expect(output).not.toMatch(/warning|error/i);
    return CORPUS[name].map(({ path }) => {
      const { mtime } = FS.stat(`/out/${path}`);
      const bytes = path.endsWith("/") ? new Uint8Array() : FS.readFile(`/out/${path}`);
      return { path, bytes, modifiedMs: new Date(mtime).getTime() };
    });
  },
};

/** What is compared: bytes as text, since the corpus has text, and the second where it is given. */
const shown = ({ path, bytes, modifiedMs }: PackedFile) => ({
  path,
  text: new TextDecoder().decode(bytes),
  modified: isInstant(modifiedMs) ? new Date(modifiedMs).toISOString().replace(/\.\d+Z$/, "Z") : "later",
});

describe.each(Object.keys(CORPUS) as CorpusName[])("an archive of the corpus: %s", (name) => {
  let archive: Archive;
  beforeAll(async () => {
    const { layout, objects } = await layOutCorpus(name);
    archive = readZip(layout, objects);
  });

  it.each(Object.keys(READERS))("is read by %s [TRF-10]", { timeout: 30_000 }, async (reader) => {
    const found = await READERS[reader]?.(archive.slice(), name);
    expect(found?.map(shown)).toEqual(CORPUS[name].map(shown));
  });
});

/** An archive of which only the headers exist; each byte of an object is the object's number. */
class SparseReader extends RandomAccessReader {
  readonly #layout: ZipLayout;

  constructor(layout: ZipLayout) {
    super();
    this.#layout = layout;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = Array.from(zipPieces(this.#layout, start, end), (piece) =>
      piece instanceof Uint8Array ? piece : new Uint8Array(piece.length).fill(piece.object),
    );
    return Readable.from(bytes);
  }
}

it("an archive above 4 GiB is read by yauzl, from both sides of the limit [TRF-10]", async () => {
  const sizes = [4 * GIB - 2, 4 * GIB, 7, 4 * GIB - 1, 3];
  const layout = await layOutZip(
    sizes.map((sizeBytes, object) => ({
      path: `${object}.bin`,
      sizeBytes,
      crc32: 0,
      modifiedMs: 0,
      object,
      offset: 0,
    })),
  );
  const zip = await fromRandomAccessReaderPromise(new SparseReader(layout), layout.size);
  const found: { name: string; size: number; end: number[] }[] = [];
  for await (const entry of zip.eachEntry()) {
    const size = entry.uncompressedSize;
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false, start: size - 2, end: size });
    found.push({ name: entry.fileName, size, end: [...(await buffer(stream))] });
  }
  expect(found).toEqual(sizes.map((size, n) => ({ name: `${n}.bin`, size, end: [n, n] })));
});
