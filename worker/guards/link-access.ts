import { fromBase64url } from "#domain/base64url.ts";
import { ACCESS_BYTES, isEqual } from "#domain/seal/keys.ts";

/**
 * Whether `access` opens an encrypted link. Compares in constant time.
 * @param accessHash SHA-256 of the right one, as base64url @param access as base64url
 */
export async function isAccess(accessHash: string, access: string): Promise<boolean> {
  const bytes = fromBase64url(access);
  const expected = fromBase64url(accessHash);
  if (bytes?.length !== ACCESS_BYTES || expected === null) return false;
  return isEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), expected);
}
