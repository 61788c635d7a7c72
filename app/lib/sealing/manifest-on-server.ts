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

/**
 * Sends the next manifest. When another one came first, it follows that one.
 * @param after the newest revision that is known @returns its revision @throws ApiError
 */
export async function putManifest(
  uploadId: string,
  { secret, salt }: Pick<LinkSecrets, "secret" | "salt">,
  manifest: Manifest,
  after: number,
  signal?: AbortSignal,
): Promise<number> {
  const keys = await deriveContentKeys(secret, salt);
  for (let revision = after + 1; ;) {
    const body = toBase64url(await sealManifest(keys, revision, manifest));
    try {
      await call("PUT /api/files/:id/manifest", {
        params: { id: uploadId },
        body: { revision, final: manifest.final, body },
        signal,
      });
      return revision;
    } catch (error) {
      const newest = newestRevision(error);
      if (newest === null || newest < revision) throw error;
      revision = newest + 1;
    }
  }
}

function newestRevision(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.body.code !== "MANIFEST_CONFLICT") return null;
  const { revision } = error.body;
  return typeof revision === "number" ? revision : null;
}

/** @returns the newest one that this browser can read; null for a link that is not kept here */
export async function readKeptManifest(downloadId: string): Promise<Manifest | null> {
  const kept = await findKeptLink(downloadId);
  // After a change of the password elsewhere, what this browser knows is all there is.
  return kept && (await readManifest(kept).catch(() => kept)).manifest;
}
