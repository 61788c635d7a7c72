import type { ContentKeys } from "#domain/seal/keys.ts";
import { openAbout, openPicture, type PictureFacts } from "#domain/seal/pictures.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { Clear } from "./reader/opener.ts";

/** @returns null if the facts are not what the sender encrypted */
export function readAbout(keys: ContentKeys, stream: number, about: string): Promise<PictureFacts | null> {
  return unlessDamaged(openAbout(keys, stream, about));
}

/**
 * Fetches and decrypts a picture. A locked link is unlocked again once; a lease is never begun, because looking at a
 * picture is no download.
 * @param url ends in `/tile` or `/view` @returns null if there is no such picture, or none that the sender encrypted
 */
export async function fetchPicture(
  keys: ContentKeys,
  stream: number,
  url: string,
  clear: Clear,
  signal: AbortSignal,
): Promise<Blob | null> {
  let response = await fetch(url, { signal });
  if (response.status === 401 && (await clear("locked"))) response = await fetch(url, { signal });
  if (!response.ok) return null;
  const sealed = new Uint8Array(await response.arrayBuffer());
  const kind = url.endsWith("/tile") ? "tile" : "view";
  const opened = await unlessDamaged(openPicture(keys, stream, kind, sealed));
  return opened && new Blob([opened.image], { type: opened.type });
}

/** @returns null for a `SealError` */
async function unlessDamaged<Opened>(opening: Promise<Opened>): Promise<Opened | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
