import { fromBase64url, toBase64url } from "./bytes-as-text.ts";

const encoder = new TextEncoder();

/**
 * @param secret of the installation @param label the key's use: keys of different labels reveal nothing of each other
 * @returns a key for HMAC-SHA-256, derived with HKDF (RFC 5869)
 */
export async function deriveTokenKey(secret: string, label: string): Promise<CryptoKey> {
  const key = await deriveBits(secret, label);
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

/** @returns 256 bits, derived with HKDF from the secret of the installation */
export async function deriveBits(secret: string, label: string): Promise<ArrayBuffer> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(label) };
  return crypto.subtle.deriveBits(parameters, material, 256);
}

/** @returns HMAC-SHA-256 of the text: 43 characters of base64url */
export async function sign(key: CryptoKey, text: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

/** Whether `sign` made the MAC of this text. A wrong MAC takes as long as the right one. */
export async function isSigned(key: CryptoKey, text: string, mac: string): Promise<boolean> {
  const bytes = fromBase64url(mac);
  return bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, encoder.encode(text)));
}
