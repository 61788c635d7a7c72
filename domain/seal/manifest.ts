import { checkPath, PathSet } from "../transfers/paths.ts";
import { MAX_ENTRIES } from "../transfers/limits.ts";
import { KIB, MIB } from "../units.ts";
import { concat, randomBytes, type Bytes, type ContentKeys } from "./keys.ts";
import { SealError } from "./seal-error.ts";
import { MAX_STREAM, MAX_STREAM_BYTES, NONCE_BYTES, TAG_BYTES } from "./sizes.ts";

export const MAX_MANIFEST_BYTES = MIB;
/** The plaintext is padded to a multiple of this size, so that its length reveals little about the files' names. */
const PADDING_BYTES = 4 * KIB;
const LENGTH_BYTES = 4;
const AAD = new TextEncoder().encode("mayfly/1 manifest");
const MAX_TEXT = 10_000;

/** A file, as only its sender and its recipients see it. */
export interface ManifestFile {
  /** A path that `checkPath` accepts. An empty folder's path ends in a slash. */
  name: string;
  /** The MIME type, used only to choose a preview. */
  type: string;
  /** Bytes of plaintext. */
  size: number;
  /** Epoch milliseconds. */
  mtime: number;
  /** The number of the file's stream, and the offset of the file's first byte in the stream's plaintext. */
  stream: number;
  at: number;
  /** SHA-256 and CRC-32 in lower-case hexadecimal. Absent until the sender has read the whole file. */
  sha256?: string;
  crc32?: string;
}

export interface Manifest {
  /** Whether no file will be added, and every file has its sums. */
  final: boolean;
  /** Absent if the sender wrote no title. */
  title?: string;
  message?: string;
  files: ManifestFile[];
}

/** @param revision from 0; each new manifest of a transfer has the next number @param nonce random outside of tests */
export async function sealManifest(
  { manifest: key }: ContentKeys,
  revision: number,
  manifest: Manifest,
  nonce = randomBytes(NONCE_BYTES),
): Promise<Bytes> {
  const json = new TextEncoder().encode(JSON.stringify({ v: 1, ...manifest }));
  const plaintext = new Uint8Array(Math.ceil((LENGTH_BYTES + json.length) / PADDING_BYTES) * PADDING_BYTES);
  new DataView(plaintext.buffer).setUint32(0, json.length);
  plaintext.set(json, LENGTH_BYTES);
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: aadOf(revision) };
  return concat(nonce, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext)));
}

/** @returns bytes of the encrypted manifest. At most `MAX_MANIFEST_BYTES` may be sent. */
export function sealedManifestSize(manifest: Manifest): number {
  const json = new TextEncoder().encode(JSON.stringify({ v: 1, ...manifest }));
  return NONCE_BYTES + Math.ceil((LENGTH_BYTES + json.length) / PADDING_BYTES) * PADDING_BYTES + TAG_BYTES;
}

/**
 * Decrypts and checks a manifest, whose sender may be hostile.
 * @throws SealError `damaged` when the bytes are not what the sender encrypted, `manifest` for a broken rule, `version`
 */
export async function openManifest({ manifest: key }: ContentKeys, revision: number, body: Bytes): Promise<Manifest> {
  if (body.length > MAX_MANIFEST_BYTES) throw new SealError("manifest", "The list of files is too long.");
  const plaintext = await decrypt(key, revision, body);
  const length = plaintext.length < LENGTH_BYTES ? 0 : new DataView(plaintext.buffer).getUint32(0);
  if (length === 0 || LENGTH_BYTES + length > plaintext.length) throw invalid("its length is wrong");
  return checkManifest(parse(plaintext.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
}

async function decrypt(key: CryptoKey, revision: number, body: Bytes): Promise<Bytes> {
  try {
    const algorithm = { name: "AES-GCM", iv: body.subarray(0, NONCE_BYTES), additionalData: aadOf(revision) };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, body.subarray(NONCE_BYTES)));
  } catch {
    throw new SealError("damaged", "The list of files is not what the sender encrypted.");
  }
}

function aadOf(revision: number): Bytes {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, revision);
  return concat(AAD, number);
}

function parse(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(json));
  } catch {
    throw invalid("it is no JSON");
  }
}

/** @throws SealError `manifest`, or `version` for a manifest of a later format */
export function checkManifest(parsed: unknown): Manifest {
  if (!isRecord(parsed)) throw invalid("it is no object");
  const { v, final, title, message, files } = parsed;
  if (v !== 1) throw new SealError("version", "A newer page made this transfer.");
  if (typeof final !== "boolean") throw invalid("it does not say whether it is final");
  if (!isOptionalText(title) || !isOptionalText(message)) throw invalid("its title or message is no text");
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_ENTRIES) throw invalid("it has no files");
  const checked = files.map((file: unknown) => checkFile(file, final));
  checkNames(checked);
  checkCoverage(checked);
  return { final, ...(title !== undefined && { title }), ...(message !== undefined && { message }), files: checked };
}

function checkFile(file: unknown, isFinal: boolean): ManifestFile {
  if (!isRecord(file)) throw invalid("a file is no object");
  const { name, type, size, mtime, stream, at, sha256, crc32 } = file;
  if (typeof name !== "string" || !checkPath(name)) throw invalid("a file's name is not allowed");
  if (typeof type !== "string" || type.length > 255) throw invalid("a file's type is wrong");
  if (!isCount(size, MAX_STREAM_BYTES) || !isCount(at, MAX_STREAM_BYTES - size) || !isCount(stream, MAX_STREAM))
    throw invalid("a file's place is wrong");
  if (typeof mtime !== "number" || Number.isNaN(new Date(mtime).valueOf())) throw invalid("a file's date is wrong");
  const isFolder = name.endsWith("/");
  if (isFolder && size > 0) throw invalid("a folder has bytes");
  const needsSums = isFinal && !isFolder;
  if (!isSum(sha256, 64, needsSums) || !isSum(crc32, 8, needsSums)) throw invalid("a file's checksum is wrong");
  const sums = { ...(sha256 !== undefined && { sha256 }), ...(crc32 !== undefined && { crc32 }) };
  return { name, type, size, mtime, stream, at, ...sums };
}

function checkNames(files: readonly ManifestFile[]): void {
  const paths = new PathSet();
  for (const { name } of files) {
    if (paths.conflictOf(name) !== null) throw invalid("two files have the same name");
    paths.add(name);
  }
}

/** A gap or an overlap could hide bytes from one reader and show them to another. */
function checkCoverage(files: readonly ManifestFile[]): void {
  const ends = new Map<number, number>();
  for (const { stream, at, size } of files.toSorted((a, b) => a.stream - b.stream || a.at - b.at || a.size - b.size)) {
    if (at !== (ends.get(stream) ?? 0)) throw invalid("files do not cover their stream");
    ends.set(stream, at + size);
  }
}

/** @returns bytes of plaintext in each stream, by the stream's number */
export function streamSizes(files: readonly ManifestFile[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const { stream, size } of files) sizes.set(stream, (sizes.get(stream) ?? 0) + size);
  return sizes;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && value.length <= MAX_TEXT && value.isWellFormed());
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

function isSum(value: unknown, digits: number, isRequired: boolean): value is string | undefined {
  if (value === undefined) return !isRequired;
  return typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value);
}

function invalid(why: string): SealError {
  return new SealError("manifest", `The list of files cannot be read: ${why}.`);
}
