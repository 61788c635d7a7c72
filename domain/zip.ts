import { toBase64url } from "./bytes-as-text.ts";
import { stretchesOf, type ObjectLayout } from "./segments.ts";
import {
  ByteWriter,
  localHeaderBytes,
  MAX_END_BYTES,
  MAX_PATH_BYTES,
  USUAL_DIRECTORY_HEADER_BYTES,
  writeDirectoryHeader,
  writeEnd,
  writeLocalHeader,
} from "./zip/records.ts";

/**
 * This module computes a ZIP that is not stored: its headers and directory follow from the list of its entries, and its
 * other bytes are in objects. Each entry is a header and its uncompressed bytes. The directory follows the last entry.
 */

export interface ZipEntry {
  /** At most 65,535 bytes as UTF-8. The path of an empty folder ends in "/". */
  path: string;
  sizeBytes: number;
  /** An unsigned 32-bit number. */
  crc32: number;
  modifiedMs: number;
  /** The number of the object that has the bytes; null for an empty file or folder. */
  object: number | null;
  /** The offset of the entry's first byte in the object. */
  offset: number;
  /** Of an entry in segments, whose first object is `object`. Absent for an entry that is in one object. */
  layout?: ObjectLayout;
}

export interface ZipLayout {
  /** In bytes. */
  readonly size: number;
  /** A strong ETag with its quotes. Two layouts have the same ETag if their bytes are the same. */
  readonly etag: string;
  readonly entries: readonly ZipEntry[];
  /** The offset of the directory, which is the end of the last entry's bytes. */
  readonly directoryStart: number;
  /** The offset of each entry's header; the last number is `directoryStart`. */
  readonly starts: Float64Array;
  /** The bytes of the directory and its end. */
  readonly tail: Uint8Array;
}

/** Bytes in memory, or a range of an object. */
export type ZipPiece = Uint8Array | { object: number; offset: number; length: number };

/** A part of the ETag. A changed layout of the same entries needs another number. */
const LAYOUT_VERSION = 1;

/** The length of 132 bits of the hash. */
const ETAG_CHARACTERS = 22;

const encoder = new TextEncoder();

/** Lays out a ZIP. @throws RangeError when a path is too long, or an entry has bytes but no object */
export async function layOutZip(entries: readonly ZipEntry[]): Promise<ZipLayout> {
  const starts = new Float64Array(entries.length + 1);
  const pathBuffer = new Uint8Array(MAX_PATH_BYTES);
  const hashed = new ByteWriter(1 + usualDirectoryBytes(entries) + MAX_END_BYTES);
  hashed.u8(LAYOUT_VERSION);
  let [n, start] = [0, 0];
  for (const entry of entries) {
    const { read, written } = encoder.encodeInto(entry.path, pathBuffer);
    if (read < entry.path.length) throw new RangeError(`The path of entry ${n} is too long.`);
    if (entry.sizeBytes > 0 && entry.object === null) throw new RangeError(`Entry ${n} has bytes but no object.`);
    writeDirectoryHeader(hashed, entry, pathBuffer.subarray(0, written), start);
    start += localHeaderBytes(entry, written) + entry.sizeBytes;
    n += 1;
    starts[n] = start;
  }
  writeEnd(hashed, entries.length, start, hashed.written.length - 1);
  // A copy of the exact size, because the buffer may be twice as large.
  const bytes = hashed.written.slice();
  const tail = bytes.subarray(1);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { size: start + tail.length, etag: toEtag(digest), entries, directoryStart: start, starts, tail };
}

/** The directory's size if all paths are ASCII and no number needs ZIP64. */
function usualDirectoryBytes(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, { path }) => sum + path.length, entries.length * USUAL_DIRECTORY_HEADER_BYTES);
}

/** Yields the ZIP's bytes `from` to `to` (exclusive), in non-empty pieces. @throws RangeError beyond the ZIP */
export function* zipPieces(layout: ZipLayout, from: number, to: number): Generator<ZipPiece> {
  const { entries, starts, directoryStart, tail, size } = layout;
  if (!(0 <= from && from <= to && to <= size)) throw new RangeError(`There are no bytes ${from} to ${to} of ${size}.`);
  if (from === to) return;
  for (let n = entryAt(layout, from); ; n += 1) {
    const entry = entries[n];
    const start = starts[n] ?? size;
    if (!entry || start >= to) break;
    const next = starts[n + 1] ?? size;
    const dataStart = next - entry.sizeBytes;
    if (from < dataStart) yield localHeader(entry).subarray(Math.max(from - start, 0), to - start);
    const [first, end] = [Math.max(from, dataStart), Math.min(to, next)];
    yield* stretchesOf(entry, first - dataStart, end - dataStart);
  }
  if (to > directoryStart) yield tail.subarray(Math.max(from - directoryStart, 0), to - directoryStart);
}

/** The number of the entry whose header or bytes contain this byte, or the number of entries from the directory on. */
export function entryAt({ entries, starts }: ZipLayout, byte: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle + 1] ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

function localHeader(entry: ZipEntry): Uint8Array {
  const path = encoder.encode(entry.path);
  const header = new ByteWriter(localHeaderBytes(entry, path.length));
  writeLocalHeader(header, entry, path);
  return header.written;
}

function toEtag(digest: ArrayBuffer): string {
  return `"${toBase64url(new Uint8Array(digest)).slice(0, ETAG_CHARACTERS)}"`;
}
