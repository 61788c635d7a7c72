import { toBase64url } from "#domain/base64url.ts";
import { deriveContentKeys } from "#domain/seal/keys.ts";
import { openManifest, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import type { OpenedSeal } from "#domain/wire.ts";
import { ApiError, call } from "../api.ts";
import { findKeptLink, type KeptLink } from "./kept-links.ts";
import { bytesOf, type LinkSecrets } from "./link-keys.ts";

interface ManifestNow {
  manifest: Manifest;
  revision: number;
}

/** @throws ApiError, also for an access that a new password has replaced; SealError */
export async function readManifest({
  downloadId,
  secret,
  salt,
  access,
}: Pick<KeptLink, "downloadId" | "secret" | "salt" | "access">): Promise<ManifestNow> {
  const opened = await unlockSealed(downloadId, access);
  const keys = await deriveContentKeys(secret, salt);
  const manifest = await openManifest(keys, opened.revision, bytesOf(opened.manifest));
  return { manifest, revision: opened.revision };
}

/** @throws ApiError; its status is 403 for a wrong access */
export async function unlockSealed(downloadId: string, access: LinkSecrets["access"]): Promise<OpenedSeal> {
  const answer = await call("POST /api/files/download/:id/unlock", {
    params: { id: downloadId },
    body: { access: toBase64url(access) },
  });
  return answer as typeof answer & OpenedSeal;
}

interface NextManifest {
  uploadId: string;
  secrets: Pick<LinkSecrets, "secret" | "salt">;
  manifest: Manifest;
  /** The newest revision that is known. */
  after: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends the next manifest. When another one came first, it follows that one.
 * @returns its revision @throws ApiError
 */
export async function putManifest(next: NextManifest): Promise<number> {
  for (let { after } = next; ;) {
    try {
      return await putNext({ ...next, after });
    } catch (error) {
      const newest = newestRevision(error);
      if (newest === null || newest <= after) throw error;
      after = newest;
    }
  }
}

/** @returns its revision @throws ApiError, for which `newestRevision` tells whether another manifest came first */
export async function putNext({ uploadId, secrets, manifest, after, signal }: NextManifest): Promise<number> {
  const keys = await deriveContentKeys(secrets.secret, secrets.salt);
  const revision = after + 1;
  const body = toBase64url(await sealManifest(keys, revision, manifest));
  await call("PUT /api/files/:id/manifest", {
    params: { id: uploadId },
    body: { revision, final: manifest.final, body },
    signal,
  });
  return revision;
}

/** @returns null for another error */
export function newestRevision(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.body.code !== "MANIFEST_CONFLICT") return null;
  const { revision } = error.body;
  return typeof revision === "number" ? revision : null;
}

/** @returns the newest one that this browser can read; null for a link that is not kept here @throws ApiError, SealError */
export async function readKeptManifest(downloadId: string): Promise<Manifest | null> {
  const kept = await findKeptLink(downloadId);
  if (!kept) return null;
  try {
    return (await readManifest(kept)).manifest;
  } catch (error) {
    // After a change of the password elsewhere, what this browser knows is all there is.
    if (error instanceof ApiError && error.status === 403) return kept.manifest;
    throw error;
  }
}
