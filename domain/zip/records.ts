import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../units.ts";

/** The records of a ZIP. Numbers in brackets are sections of APPNOTE 6.3.10. */

/** The facts about an entry in its headers. */
export interface EntryFacts {
  path: string;
  sizeBytes: number;
  crc32: number;
  modifiedMs: number;
}

/** A number of this size or more is in a ZIP64 field, and this constant replaces it in the usual field (4.4.1.4). */
const TOO_LARGE = 0xffffffff;
const TOO_MANY = 0xffff;

/** The versions of the ZIP format that a reader needs, in tenths (4.4.3.2). */
const FOR_FILES = 10;
const FOR_FOLDERS = 20;
const FOR_ZIP64 = 45;
/** The upper byte is the system of the directory's file attributes: 3 is Unix (4.4.2). */
const MADE_BY = (3 << 8) | FOR_ZIP64;

/** Bit 11: paths are UTF-8 (4.4.4). Bit 3 is off, because size and CRC-32 are in the local header. */
const FLAGS = 1 << 11;
const STORED = 0;

/** The upper half has the file type and mode of Unix, the lower half has the bits of MS-DOS (4.4.15). */
const FILE_ATTRIBUTES = 0o100644 * 0x10000;
const FOLDER_ATTRIBUTES = 0o040755 * 0x10000 + 0x10;

/** The extra field for numbers that are too large for their usual fields, in the order of those fields (4.5.3). */
const ZIP64_EXTRA = 0x0001;
/** Info-ZIP's extended timestamp (4.6): a byte that says which times follow, then the Unix second of the change. */
const TIME_EXTRA = 0x5455;
const HAS_MODIFIED = 1;
const TIME_EXTRA_BYTES = 9;

const EXTRA_HEAD_BYTES = 4;
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER_BYTES = 46;
const ZIP64_END_BYTES = 56;
const LOCATOR_BYTES = 20;
const END_BYTES = 22;

/** The field of the path's length has 16 bits. */
export const MAX_PATH_BYTES = 0xffff;

/** The size of the header before an entry's bytes. @param pathBytes bytes of the path as UTF-8 */
export function localHeaderBytes(entry: EntryFacts, pathBytes: number): number {
  return LOCAL_HEADER_BYTES + pathBytes + extraBytes(zip64Sizes(entry), entry);
}

/** The size of an entry in the directory, without its path and without ZIP64. */
export const USUAL_DIRECTORY_HEADER_BYTES = DIRECTORY_HEADER_BYTES + TIME_EXTRA_BYTES;
const MAX_DIRECTORY_HEADER_BYTES = USUAL_DIRECTORY_HEADER_BYTES + EXTRA_HEAD_BYTES + 3 * 8;

/** The most bytes that follow the directory. */
export const MAX_END_BYTES = END_BYTES + ZIP64_END_BYTES + LOCATOR_BYTES;

/** Writes the header before an entry's bytes (4.3.7). @param path the entry's, as UTF-8 */
export function writeLocalHeader(to: ByteWriter, entry: EntryFacts, path: Uint8Array): void {
  const large = zip64Sizes(entry);
  to.u32(0x04034b50);
  writeSharedFields(to, entry, path, large);
  to.bytes(path);
  writeExtras(to, entry, large);
}

/** Writes an entry of the directory (4.3.12). @param start the offset of the entry's local header in the ZIP */
export function writeDirectoryHeader(to: ByteWriter, entry: EntryFacts, path: Uint8Array, start: number): void {
  const large = zip64Numbers(entry, start);
  to.reserve(MAX_DIRECTORY_HEADER_BYTES + path.length);
  to.u32(0x02014b50);
  to.u16(MADE_BY);
  writeSharedFields(to, entry, path, large);
  to.u16(0); // length of the comment
  to.u16(0); // disk
  to.u16(0); // internal attributes
  to.u32(isFolder(entry) ? FOLDER_ATTRIBUTES : FILE_ATTRIBUTES);
  to.u32(Math.min(start, TOO_LARGE));
  to.bytes(path);
  writeExtras(to, entry, large);
}

/** Writes the end of the ZIP, after the directory (4.3.14 to 4.3.16). ZIP64 records are written only if needed. */
export function writeEnd(to: ByteWriter, entryCount: number, directoryStart: number, directoryBytes: number): void {
  to.reserve(MAX_END_BYTES);
  if (needsZip64End(entryCount, directoryStart, directoryBytes)) {
    to.u32(0x06064b50);
    to.u64(ZIP64_END_BYTES - 12); // what follows in this record
    to.u16(MADE_BY);
    to.u16(FOR_ZIP64);
    to.u32(0); // disk
    to.u32(0); // disk of the directory
    to.u64(entryCount); // on this disk
    to.u64(entryCount);
    to.u64(directoryBytes);
    to.u64(directoryStart);
    to.u32(0x07064b50);
    to.u32(0); // disk of the ZIP64 end
    to.u64(directoryStart + directoryBytes);
    to.u32(1); // disks
  }
  to.u32(0x06054b50);
  to.u16(0); // disk
  to.u16(0); // disk of the directory
  to.u16(Math.min(entryCount, TOO_MANY)); // on this disk
  to.u16(Math.min(entryCount, TOO_MANY));
  to.u32(Math.min(directoryBytes, TOO_LARGE));
  to.u32(Math.min(directoryStart, TOO_LARGE));
  to.u16(0); // length of the comment
}

/** Writes the 26 bytes that both headers have in common. @param large the numbers in the ZIP64 extra field */
function writeSharedFields(to: ByteWriter, entry: EntryFacts, path: Uint8Array, large: readonly number[]): void {
  const { date, time } = dosTime(entry.modifiedMs);
  to.u16(large.length > 0 ? FOR_ZIP64 : isFolder(entry) ? FOR_FOLDERS : FOR_FILES);
  to.u16(FLAGS);
  to.u16(STORED);
  to.u16(time);
  to.u16(date);
  to.u32(entry.crc32);
  to.u32(Math.min(entry.sizeBytes, TOO_LARGE)); // compressed
  to.u32(Math.min(entry.sizeBytes, TOO_LARGE));
  to.u16(path.length);
  to.u16(extraBytes(large, entry));
}

const NONE: readonly number[] = [];

/** Size and compressed size if they are too large for their fields. The local header must have both (4.5.3). */
function zip64Sizes({ sizeBytes }: EntryFacts): readonly number[] {
  return sizeBytes >= TOO_LARGE ? [sizeBytes, sizeBytes] : NONE;
}

/** The numbers of an entry in the directory that need 64 bits. */
function zip64Numbers(entry: EntryFacts, start: number): readonly number[] {
  return start >= TOO_LARGE ? [...zip64Sizes(entry), start] : zip64Sizes(entry);
}

function needsZip64End(entryCount: number, directoryStart: number, directoryBytes: number): boolean {
  return entryCount >= TOO_MANY || directoryStart >= TOO_LARGE || directoryBytes >= TOO_LARGE;
}

function extraBytes(large: readonly number[], entry: EntryFacts): number {
  const zip64Bytes = large.length > 0 ? EXTRA_HEAD_BYTES + 8 * large.length : 0;
  return zip64Bytes + (hasUnixSecond(entry) ? TIME_EXTRA_BYTES : 0);
}

function writeExtras(to: ByteWriter, entry: EntryFacts, large: readonly number[]): void {
  if (large.length > 0) {
    to.u16(ZIP64_EXTRA);
    to.u16(8 * large.length);
    for (const value of large) to.u64(value);
  }
  if (hasUnixSecond(entry)) {
    to.u16(TIME_EXTRA);
    to.u16(TIME_EXTRA_BYTES - EXTRA_HEAD_BYTES);
    to.u8(HAS_MODIFIED);
    to.u32(unixSecond(entry));
  }
}

function isFolder({ path }: EntryFacts): boolean {
  return path.endsWith("/");
}

function unixSecond({ modifiedMs }: EntryFacts): number {
  return Math.floor(modifiedMs / SECOND_MS);
}

/** Whether the time fits the field of 32 signed bits: from 1901 to January 2038. */
function hasUnixSecond(entry: EntryFacts): boolean {
  const second = unixSecond(entry);
  return second === (second | 0);
}

const DOS_FROM_MS = Date.UTC(1980, 0, 1);
const DOS_TO_MS = Date.UTC(2107, 11, 31, 23, 59, 58);

/** MS-DOS' date and time in UTC (4.4.6), exact to two seconds; before 1980 and after 2107 the nearest possible. */
function dosTime(epochMs: number): { date: number; time: number } {
  const dosMs = Math.min(Math.max(epochMs, DOS_FROM_MS), DOS_TO_MS) - DOS_FROM_MS;
  const hours = Math.floor((dosMs % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((dosMs % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((dosMs % MINUTE_MS) / SECOND_MS);
  return { date: dosDate(Math.floor(dosMs / DAY_MS)), time: (hours << 11) | (minutes << 5) | (seconds >> 1) };
}

/**
 * Caches dates by day: most files of a transfer share a few days, and `Date` takes longer than the rest of a header.
 */
const dates = new Map<number, number>();
const MAX_DATES = 1000;

/** @param day days since 1980 began */
function dosDate(day: number): number {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const at = new Date(DOS_FROM_MS + day * DAY_MS);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, date);
  return date;
}

/** A growing buffer for bytes and for numbers in little-endian order. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacityBytes: number) {
    this.#bytes = new Uint8Array(capacityBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for more bytes. The other methods expect enough room. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.written);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** The bytes written so far, as a view, not as a copy. */
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

  /** Accepts signed numbers, too. */
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
