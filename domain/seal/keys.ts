import { SealError } from "./seal-error.ts";
import { NONCE_BYTES } from "./sizes.ts";

/** Bytes in a buffer of their own, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const SECRET_BYTES = 32;
export const SALT_BYTES = 16;
export const ACCESS_BYTES = 32;
export const COMMITMENT_BYTES = 32;
/** The length of nonce, wrapped secret and tag. */
export const WRAP_BYTES = 60;
const WRAP_AAD = "mayfly/1 wrap";

const encoder = new TextEncoder();

/** Keys derived from the link's secret, and from the password if there is one. */
export interface LinkKeys {
  /** Proves to the server that its holder has the whole link. The server stores the SHA-256 of these bytes. */
  access: Bytes;
  wrapKey: CryptoKey;
}

/** Keys derived from the transfer's own secret. None of the keys leaves the browser. */
export interface ContentKeys {
  /** HKDF's input for the keys of streams. */
  material: CryptoKey;
  salt: Bytes;
  manifest: CryptoKey;
  mark: CryptoKey;
  fingerprint: CryptoKey;
  picture: CryptoKey;
  /** Binds the transfer to one secret, since AES-GCM does not bind a key. */
  commitment: Bytes;
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** @param passwordHash from Argon2id, 32 bytes; empty for a link without a password */
export async function deriveLinkKeys(linkSecret: Bytes, passwordHash: Bytes, salt: Bytes): Promise<LinkKeys> {
  const material = await importMaterial(concat(linkSecret, passwordHash));
  const [access, wrapKey] = await Promise.all([
    deriveBytes(material, salt, "mayfly/1 link access", ACCESS_BYTES),
    deriveAesKey(material, salt, utf8("mayfly/1 link wrap")),
  ]);
  return { access, wrapKey };
}

/** @param secret the transfer's own, 32 random bytes */
export async function deriveContentKeys(secret: Bytes, salt: Bytes): Promise<ContentKeys> {
  const material = await importMaterial(secret);
  const [manifest, mark, fingerprint, picture, commitment] = await Promise.all([
    deriveAesKey(material, salt, utf8("mayfly/1 manifest")),
    deriveMacKey(material, salt, utf8("mayfly/1 part mark")),
    deriveMacKey(material, salt, utf8("mayfly/1 fingerprint")),
    deriveAesKey(material, salt, utf8("mayfly/1 picture")),
    deriveBytes(material, salt, "mayfly/1 commitment", COMMITMENT_BYTES),
  ]);
  return { material, salt, manifest, mark, fingerprint, picture, commitment };
}

/** @param nonce random unless a test fixes it @returns the wrapped secret, as the server stores it */
export async function wrapSecret(
  secret: Bytes,
  { wrapKey }: LinkKeys,
  nonce = randomBytes(NONCE_BYTES),
): Promise<Bytes> {
  const wrapped = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData: utf8(WRAP_AAD) },
    wrapKey,
    secret,
  );
  return concat(nonce, new Uint8Array(wrapped));
}

/** Decrypts the transfer's secret, and checks the commitment first of all. @throws SealError `wrongKey` */
export async function unwrapSecret(
  wrap: Bytes,
  { wrapKey }: LinkKeys,
  salt: Bytes,
  commitment: Bytes,
): Promise<{ secret: Bytes; keys: ContentKeys }> {
  const secret = await openWrap(wrap, wrapKey);
  if (secret?.length !== SECRET_BYTES) throw new SealError("wrongKey", "The link does not open this transfer.");
  const keys = await deriveContentKeys(secret, salt);
  if (!isEqual(keys.commitment, commitment))
    throw new SealError("wrongKey", "The transfer is not the one that its sender committed to.");
  return { secret, keys };
}

async function openWrap(wrap: Bytes, key: CryptoKey): Promise<Bytes | null> {
  if (wrap.length !== WRAP_BYTES) return null;
  try {
    const algorithm = {
      name: "AES-GCM",
      iv: wrap.subarray(0, NONCE_BYTES),
      additionalData: utf8(WRAP_AAD),
    };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, wrap.subarray(NONCE_BYTES)));
  } catch {
    return null;
  }
}

/** @param fingerprint of the plain files @returns 32 bytes that reveal nothing about the files to the server */
export async function keyedFingerprint({ fingerprint: key }: ContentKeys, fingerprint: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, fingerprint));
}

function importMaterial(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits", "deriveKey"]);
}

async function deriveBytes(material: CryptoKey, salt: Bytes, label: string, length: number): Promise<Bytes> {
  const bits = await crypto.subtle.deriveBits(hkdf(salt, utf8(label)), material, 8 * length);
  return new Uint8Array(bits);
}

/** @param info HKDF's label */
export function deriveAesKey(material: CryptoKey, salt: Bytes, info: Bytes): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(hkdf(salt, info), material, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

/** @param info HKDF's label */
export function deriveMacKey(material: CryptoKey, salt: Bytes, info: Bytes): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256", length: 256 };
  return crypto.subtle.deriveKey(hkdf(salt, info), material, algorithm, false, ["sign"]);
}

function hkdf(salt: Bytes, info: Bytes) {
  return { name: "HKDF", hash: "SHA-256", salt, info };
}

/** Copies the bytes, since the types of the Workers runtime do not say which buffer an encoder's bytes are in. */
function utf8(text: string): Bytes {
  return new Uint8Array(encoder.encode(text));
}

export function concat(...pieces: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Compares bytes in a time that depends on their length alone. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0);
  return difference === 0;
}
