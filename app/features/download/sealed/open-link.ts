import type { Fragment } from "#domain/seal/fragment.ts";
import { unwrapSecret, type Bytes, type ContentKeys } from "#domain/seal/keys.ts";
import { openManifest, type Manifest } from "#domain/seal/manifest.ts";
import type { LockedSeal, OpenedSeal } from "#domain/wire.ts";
import { api, ApiError } from "#app/lib/api.ts";
import { manifestCalls } from "#app/lib/sealing/manifest-calls.ts";
import { hashPassword } from "#app/lib/sealing/password-hash.ts";
import { toBase64url } from "#domain/base64url.ts";
import { accessOf, bytesOf } from "#engine/sealing/link-keys.ts";

/** What a page knows of a link that it has opened. Nothing of it leaves the browser but `access`. */
export interface OpenedLink {
  access: Bytes;
  /** Empty for a link without one. */
  password: string;
  keys: ContentKeys;
  manifest: Manifest;
  /** Of the manifest. */
  revision: number;
}

/**
 * Unlocks a link with its key, and opens the list of files.
 * @throws ApiError, 403 for a wrong key or password; SealError
 */
export async function openSealedLink(
  downloadId: string,
  { linkSecret }: Fragment,
  locked: Pick<LockedSeal, "salt" | "kdf">,
  password: string,
): Promise<OpenedLink> {
  const linkKeys = await accessOf(hashPassword, linkSecret, locked, password);
  const opened = await manifestCalls.unlock(downloadId, toBase64url(linkKeys.access));
  const { keys } = await unwrapSecret(bytesOf(opened.wrap), linkKeys, bytesOf(locked.salt), bytesOf(opened.commitment));
  const { access } = linkKeys;
  return { access, password, keys, ...(await readManifest(keys, opened)) };
}

/** Unlocks the link again, and reads its newest list. @throws as `openSealedLink` */
export async function reopenSealedLink(downloadId: string, link: OpenedLink): Promise<OpenedLink> {
  const opened = await manifestCalls.unlock(downloadId, toBase64url(link.access));
  // Lists only grow newer: an older one is the server's mistake, or worse.
  if (opened.revision <= link.revision) return link;
  return { ...link, ...(await readManifest(link.keys, opened)) };
}

/** What is public of the link now. @returns null when the server does not say */
export async function newestSeal(downloadId: string): Promise<Pick<LockedSeal, "salt" | "kdf"> | null> {
  try {
    return (await api.downloadInfo(downloadId)).seal ?? null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.body.guard !== "sealed") return null;
    return error.body as unknown as LockedSeal;
  }
}

async function readManifest(
  keys: ContentKeys,
  { revision, manifest }: OpenedSeal,
): Promise<Pick<OpenedLink, "manifest" | "revision">> {
  return { revision, manifest: await openManifest(keys, revision, bytesOf(manifest)) };
}
