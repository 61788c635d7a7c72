import { concat, deriveAesKey, deriveMacKey, type Bytes, type ContentKeys } from "./keys.ts";
import { SealError } from "./seal-error.ts";
import {
  MAX_STREAM,
  MAX_STREAM_BYTES,
  NONCE_BYTES,
  RECORD_BYTES,
  recordCount,
  recordRange,
  sealedSize,
  TAG_BYTES,
} from "./sizes.ts";

/** The number of records that are encrypted or decrypted at once. WebCrypto has threads of its own. */
const AT_ONCE = 4;

const PREFIX = new TextEncoder().encode("mayfly/1");
const AAD_BYTES = PREFIX.length + 16;

/** A stream is one stored object's plaintext: a large file, or several small files in a row. */
export interface StreamKeys {
  /** The stream's number, from 0. */
  stream: number;
  /** Bytes of the stream's plaintext. Every record is bound to this number. */
  plaintextBytes: number;
  cipher: CryptoKey;
  nonce: CryptoKey;
}

/** @param plaintextBytes of the stream @throws RangeError for a number or size that no checked manifest has */
export async function deriveStreamKeys(
  { material, salt }: ContentKeys,
  stream: number,
  plaintextBytes: number,
): Promise<StreamKeys> {
  if (!isWithin(stream, MAX_STREAM) || !isWithin(plaintextBytes, MAX_STREAM_BYTES))
    throw new RangeError(`stream ${stream} of ${plaintextBytes} bytes`);
  const [cipher, nonce] = await Promise.all([
    deriveAesKey(material, salt, labelOf("mayfly/1 stream key", stream)),
    deriveMacKey(material, salt, labelOf("mayfly/1 stream nonce", stream)),
  ]);
  return { stream, plaintextBytes, cipher, nonce };
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function labelOf(label: string, stream: number): Bytes {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, stream);
  return concat(new TextEncoder().encode(label), number);
}

export interface SealedRecords {
  /** Nonce and ciphertext with tag of each record, in order. A Blob takes the pieces without a copy. */
  pieces: Bytes[];
  /** The 12-byte nonces of all records, for the part's mark. */
  nonces: Bytes;
}

/**
 * Encrypts records. The same plaintext at the same place gives the same bytes, and different plaintext has a different
 * nonce, so any holder of the keys may seal a part again.
 * @param first number of the first record @param plaintext of whole records, up to the stream's end at most
 */
export async function sealRecords(keys: StreamKeys, first: number, plaintext: Bytes): Promise<SealedRecords> {
  const sealed = await eachRecord(keys, first, plaintext.length, async (record, at, length) => {
    const aad = aadOf(keys, record);
    const bytes = plaintext.subarray(at, at + length);
    const nonce = await nonceOf(keys, aad, bytes);
    const algorithm = { name: "AES-GCM", iv: nonce, additionalData: aad };
    return { nonce, ciphertext: new Uint8Array(await crypto.subtle.encrypt(algorithm, keys.cipher, bytes)) };
  });
  return {
    pieces: sealed.flatMap(({ nonce, ciphertext }) => [nonce, ciphertext]),
    nonces: concat(...sealed.map(({ nonce }) => nonce)),
  };
}

/** The nonces that `sealRecords` gives the same plaintext. Nothing is encrypted. */
export async function recordNonces(keys: StreamKeys, first: number, plaintext: Bytes): Promise<Bytes> {
  const nonces = await eachRecord(keys, first, plaintext.length, (record, at, length) =>
    nonceOf(keys, aadOf(keys, record), plaintext.subarray(at, at + length)),
  );
  return concat(...nonces);
}

/**
 * Decrypts records. @param first number of the first record @param sealed whole records as they are stored
 * @throws SealError `damaged` for a changed, moved, missing or surplus byte
 */
export async function openRecords(keys: StreamKeys, first: number, sealed: Bytes): Promise<Bytes> {
  const storedBytes = sealedSize(keys.plaintextBytes);
  const start = first * RECORD_BYTES;
  const end = start + sealed.length;
  if (sealed.length === 0 || end > storedBytes || (end < storedBytes && end % RECORD_BYTES !== 0)) throw damaged();
  const { start: from } = recordRange(keys.plaintextBytes, first);
  const { end: to } = recordRange(keys.plaintextBytes, Math.ceil(end / RECORD_BYTES) - 1);
  const plaintext = new Uint8Array(to - from);
  await eachRecord(keys, first, plaintext.length, async (record, at, length) => {
    const stored = record * RECORD_BYTES - start;
    const algorithm = {
      name: "AES-GCM",
      iv: sealed.subarray(stored, stored + NONCE_BYTES),
      additionalData: aadOf(keys, record),
    };
    const ciphertext = sealed.subarray(stored + NONCE_BYTES, stored + NONCE_BYTES + length + TAG_BYTES);
    plaintext.set(new Uint8Array(await decrypt(algorithm, keys.cipher, ciphertext)), at);
  });
  return plaintext;
}

async function decrypt(
  algorithm: Parameters<SubtleCrypto["decrypt"]>[0],
  key: CryptoKey,
  ciphertext: Bytes,
): Promise<ArrayBuffer> {
  try {
    return await crypto.subtle.decrypt(algorithm, key, ciphertext);
  } catch {
    throw damaged();
  }
}

function damaged(): SealError {
  return new SealError("damaged", "Part of this file is not what the sender encrypted.");
}

/** Calls `work` for each record and its place in the plaintext, a few at once. @throws RangeError for half a record */
async function eachRecord<Result>(
  { plaintextBytes }: StreamKeys,
  first: number,
  length: number,
  work: (record: number, at: number, length: number) => Promise<Result>,
): Promise<Result[]> {
  const offset = recordRange(plaintextBytes, first).start;
  const results: Result[] = [];
  let record = first;
  let at = 0;
  do {
    const batch: Promise<Result>[] = [];
    for (; batch.length < AT_ONCE && (at < length || record === first); record += 1) {
      const { start, end } = recordRange(plaintextBytes, record);
      if (record >= recordCount(plaintextBytes) || end - offset > length) throw new RangeError("not whole records");
      batch.push(work(record, start - offset, end - start));
      at = end - offset;
    }
    results.push(...(await Promise.all(batch)));
  } while (at < length);
  return results;
}

/** Binds a record to its place and to the stream's size, so that no record can be moved, cut off or added. */
function aadOf({ stream, plaintextBytes }: StreamKeys, record: number): Bytes {
  const aad = new Uint8Array(AAD_BYTES);
  aad.set(PREFIX);
  const view = new DataView(aad.buffer, PREFIX.length);
  view.setUint32(0, stream);
  view.setUint32(4, record);
  view.setBigUint64(8, BigInt(plaintextBytes));
  return aad;
}

/** One buffer for all records, since WebCrypto copies its input: a new buffer for each record would fill the memory. */
const signed = new Uint8Array(AAD_BYTES + RECORD_BYTES);

async function nonceOf({ nonce }: StreamKeys, aad: Bytes, plaintext: Bytes): Promise<Bytes> {
  signed.set(aad);
  signed.set(plaintext, aad.length);
  const mac = await crypto.subtle.sign("HMAC", nonce, signed.subarray(0, aad.length + plaintext.length));
  return new Uint8Array(mac, 0, NONCE_BYTES);
}
