/**
 * Replaces @noble/ciphers and @noble/hashes, by which better-auth would encrypt its cookie cache and the tokens of social
 * providers (https://www.better-auth.com/docs/reference/options); neither is kept here.
 */
function refuse(): never {
  throw new Error("better-auth encrypts nothing here");
}

export const bytesToHex = refuse;
export const hexToBytes = refuse;
export const hkdf = refuse;
export const managedNonce = refuse;
export const sha256 = refuse;
export const utf8ToBytes = refuse;
export const xchacha20poly1305 = refuse;
