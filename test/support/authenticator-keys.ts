import { fromBase64url } from "#domain/bytes-as-text.ts";
import { byteString, concat, integer, map, type Bytes } from "./cbor.ts";

/** A new key pair of a passkey. */
export interface PasskeyKey {
  /** The public key (COSE, RFC 9053). */
  cose: Bytes;
  sign(data: Bytes): Promise<Bytes>;
}

/** @param label the algorithm and the curve that the public key claims to have */
export async function es256(label: { algorithm: number; curve: number }): Promise<PasskeyKey> {
  const { privateKey, publicKey } = await newPair({ name: "ECDSA", namedCurve: "P-256" });
  const raw = await exportRaw(publicKey);
  return {
    cose: map([
      [integer(1), integer(2)],
      [integer(3), integer(label.algorithm)],
      [integer(-1), integer(label.curve)],
      [integer(-2), byteString(raw.slice(1, 33))],
      [integer(-3), byteString(raw.slice(33, 65))],
    ]),
    sign: async (data) => toDer(await signBy({ name: "ECDSA", hash: "SHA-256" }, privateKey, data)),
  };
}

export async function eddsa(): Promise<PasskeyKey> {
  const { privateKey, publicKey } = await newPair({ name: "Ed25519" });
  return {
    cose: map([
      [integer(1), integer(1)],
      [integer(3), integer(-8)],
      [integer(-1), integer(6)],
      [integer(-2), byteString(await exportRaw(publicKey))],
    ]),
    sign: (data) => signBy({ name: "Ed25519" }, privateKey, data),
  };
}

/** RSASSA-PKCS1-v1_5, as Windows Hello uses it. */
export async function rs256(): Promise<PasskeyKey> {
  const name = "RSASSA-PKCS1-v1_5";
  const publicExponent = Uint8Array.of(1, 0, 1);
  const { privateKey, publicKey } = await newPair({ name, modulusLength: 2048, publicExponent, hash: "SHA-256" });
  const exported = await crypto.subtle.exportKey("jwk", publicKey);
  const modulus = exported instanceof ArrayBuffer ? undefined : exported.n;
  return {
    cose: map([
      [integer(1), integer(3)],
      [integer(3), integer(-257)],
      [integer(-1), byteString(fromBase64url(modulus ?? "") ?? new Uint8Array())],
      [integer(-2), byteString(publicExponent)],
    ]),
    sign: (data) => signBy({ name }, privateKey, data),
  };
}

async function newPair(algorithm: SubtleCryptoGenerateKeyAlgorithm): Promise<CryptoKeyPair> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if ("privateKey" in pair) return pair;
  throw new Error(`${algorithm.name} has no key pairs`);
}

async function exportRaw(key: CryptoKey): Promise<Bytes> {
  const raw = await crypto.subtle.exportKey("raw", key);
  return raw instanceof ArrayBuffer ? new Uint8Array(raw) : new Uint8Array();
}

async function signBy(algorithm: SubtleCryptoSignAlgorithm, key: CryptoKey, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, data));
}

/** @param signature r and s, of 32 bytes each */
function toDer(signature: Bytes): Bytes {
  const integers = [signature.subarray(0, 32), signature.subarray(32)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const shortest = bytes.slice(start === -1 ? 31 : start);
    const value = (shortest[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), shortest) : shortest;
    return concat(Uint8Array.of(0x02, value.length), value);
  });
  const body = concat(...integers);
  return concat(Uint8Array.of(0x30, body.length), body);
}
