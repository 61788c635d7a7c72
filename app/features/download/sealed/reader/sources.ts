import { deriveStreamKeys } from "#domain/seal/records.ts";
import type { Bytes, ContentKeys } from "#domain/seal/keys.ts";
import { MIB } from "#domain/units.ts";
import { layOutZip, zipPieces } from "#domain/zip.ts";
import { readStream, type ReadContext, type StreamSource } from "./read-stream.ts";

/** A file of a manifest, with the size and URL of its stream. */
export interface PlacedFile {
  /** The file's path in the transfer. */
  name: string;
  /** In bytes. */
  size: number;
  /** Epoch milliseconds. */
  mtime: number;
  /** Hexadecimal. Absent until the sender has read the whole file. */
  crc32?: string;
  /** The offset of the file in its stream's plaintext. */
  at: number;
  stream: number;
  /** The size of the stream's plaintext in bytes. */
  streamBytes: number;
  /** The URL of the stream's stored bytes. */
  url: string;
  /** Whether the URL follows an upload, so that its bytes come as the sender sends them. */
  isFollowed: boolean;
}

/** One file of a sealed link, or a ZIP of several files. */
export interface Content {
  files: readonly PlacedFile[];
  isArchive: boolean;
}

/** Plaintext, of which any range can be read. */
export interface Source {
  size: number;
  /** @param to exclusive @throws as `readStream` */
  read(from: number, to: number, context: ReadContext): AsyncGenerator<Uint8Array, void, undefined>;
}

/** How many small files of a ZIP are requested ahead, and the largest size of such a file. */
const FILES_AHEAD = 6;
const SMALL_BYTES = MIB;

/** @throws RangeError for a ZIP of files without CRC-32 */
export async function openSource(keys: ContentKeys, { files, isArchive }: Content): Promise<Source> {
  const [file] = files;
  if (isArchive) return openArchive(keys, files);
  if (!file) throw new RangeError("There is no file.");
  return openFile(keys, file);
}

async function openFile(keys: ContentKeys, file: PlacedFile): Promise<Source> {
  const source = await streamOf(keys, file);
  return { size: file.size, read: (from, to, context) => readStream(source, file.at + from, file.at + to, context) };
}

async function streamOf(
  keys: ContentKeys,
  { url, stream, streamBytes, isFollowed }: PlacedFile,
): Promise<StreamSource> {
  return { url, isFollowed, keys: await deriveStreamKeys(keys, stream, streamBytes) };
}

/** A ZIP with the same layout that the server computes for a plain transfer. */
async function openArchive(keys: ContentKeys, files: readonly PlacedFile[]): Promise<Source> {
  const layout = await layOutZip(
    files.map(({ name, size, mtime, crc32 }, index) => {
      if (crc32 === undefined && size > 0) throw new RangeError("A file has no CRC-32 yet.");
      const crc = Number.parseInt(crc32 ?? "0", 16);
      return { path: name, sizeBytes: size, crc32: crc, modifiedMs: mtime, object: index, offset: 0 };
    }),
  );
  const readPiece = async function* (index: number, from: number, to: number, context: ReadContext) {
    const file = files[index];
    if (!file) throw new RangeError(`There is no file ${index}.`);
    yield* readStream(await streamOf(keys, file), file.at + from, file.at + to, context);
  };
  return {
    size: layout.size,
    read: (from, to, context) =>
      inOrder(zipPieces(layout, from, to), ({ object, offset, length }) =>
        readPiece(object, offset, offset + length, context),
      ),
  };
}

interface Stretch {
  object: number;
  offset: number;
  length: number;
}

type Started = Uint8Array | Promise<Bytes[]> | AsyncGenerator<Uint8Array, void, undefined>;

/** Reads pieces in order. Small pieces are requested ahead, since each costs a request of its own. */
async function* inOrder(
  pieces: Iterable<Uint8Array | Stretch>,
  read: (stretch: Stretch) => AsyncGenerator<Bytes, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = pieces[Symbol.iterator]();
  const queue: Started[] = [];
  let isMore = true;
  const isLarge = (one: Started | undefined) => one !== undefined && Symbol.asyncIterator in one;
  while (isMore || queue.length > 0) {
    // Headers lie between files. Behind a large file nothing is requested ahead, since a large file takes long.
    while (isMore && queue.length < 2 * FILES_AHEAD && !isLarge(queue.at(-1))) {
      const next = iterator.next();
      if (next.done === true) isMore = false;
      else queue.push(next.value instanceof Uint8Array ? next.value : start(next.value, read));
    }
    const next = queue.shift();
    if (next instanceof Uint8Array) yield next;
    else if (next instanceof Promise) yield* await next;
    else if (next) yield* next;
  }
}

function start(stretch: Stretch, read: (stretch: Stretch) => AsyncGenerator<Bytes, void, undefined>): Started {
  if (stretch.length > SMALL_BYTES) return read(stretch);
  const whole = collect(read(stretch));
  // A piece is never awaited after an earlier piece fails. The handler avoids an unhandled rejection.
  whole.catch(() => undefined);
  return whole;
}

async function collect(pieces: AsyncIterable<Bytes>): Promise<Bytes[]> {
  const collected: Bytes[] = [];
  for await (const piece of pieces) collected.push(piece);
  return collected;
}
