import { crc32 } from "node:zlib";
import { zipPieces, type ZipEntry, type ZipLayout } from "#domain/zip.ts";

export interface PackedFile {
  path: string;
  bytes: Uint8Array;
  modifiedMs: number;
}

/** Objects by number. */
export type Objects = Uint8Array[];

/** Packs files into objects, a few in each, as a transfer does with small files. */
export function pack(files: readonly PackedFile[], filesPerObject = 3): { entries: ZipEntry[]; objects: Objects } {
  const objects: Objects = [];
  const entries: ZipEntry[] = [];
  for (let from = 0; from < files.length; from += filesPerObject) {
    const packed = files.slice(from, from + filesPerObject);
    let offset = 0;
    for (const { path, bytes, modifiedMs } of packed) {
      const object = bytes.length === 0 ? null : objects.length;
      entries.push({ path, sizeBytes: bytes.length, crc32: crc32(bytes), modifiedMs, object, offset });
      offset += bytes.length;
    }
    objects.push(joined(packed.map(({ bytes }) => bytes)));
  }
  return { entries, objects };
}

/** The bytes `from` to `to` (exclusive) of a ZIP. */
export function readZip(layout: ZipLayout, objects: Objects, from = 0, to = layout.size): Uint8Array<ArrayBuffer> {
  const pieces = [...zipPieces(layout, from, to)].map((piece) => {
    if (piece instanceof Uint8Array) return piece;
    return (objects[piece.object] ?? new Uint8Array()).subarray(piece.offset, piece.offset + piece.length);
  });
  return joined(pieces);
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
