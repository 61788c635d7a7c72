import { toBase64url } from "../bytes-as-text.ts";
import { concat, type Bytes, type ContentKeys } from "./keys.ts";

export const MARK_BYTES = 12;

/**
 * Computes a mark, by which a resumed upload checks that a stored part has the bytes that would be sent now.
 * @param part from 1 @param nonces of the part's records, in order @returns 16 characters of base64url
 */
export async function markOf({ mark }: ContentKeys, stream: number, part: number, nonces: Bytes): Promise<string> {
  const place = new Uint8Array(8);
  const view = new DataView(place.buffer);
  view.setUint32(0, stream);
  view.setUint32(4, part);
  const mac = await crypto.subtle.sign("HMAC", mark, concat(place, nonces));
  return toBase64url(new Uint8Array(mac, 0, MARK_BYTES));
}
