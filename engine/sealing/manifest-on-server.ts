import { toBase64url } from "#domain/bytes-as-text.ts";
import { deriveContentKeys } from "#domain/seal/keys.ts";
import { openManifest, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import { ApiError } from "../api-error.ts";
import type { ManifestCalls } from "../calls.ts";
import { type KeptLink, bytesOf, type LinkSecrets } from "./link-keys.ts";

interface ManifestNow {
  manifest: Manifest;
  revision: number;
}

/** @throws ApiError, also if a new password has replaced `access`; SealError */
export async function readManifest(
  calls: Pick<ManifestCalls, "unlock">,
  { downloadId, secret, salt, access }: Pick<KeptLink, "downloadId" | "secret" | "salt" | "access">,
): Promise<ManifestNow> {
  const opened = await calls.unlock(downloadId, toBase64url(access));
  const keys = await deriveContentKeys(secret, salt);
  const manifest = await openManifest(keys, opened.revision, bytesOf(opened.manifest));
  return { manifest, revision: opened.revision };
}

interface NextManifest {
  uploadId: string;
  secrets: Pick<LinkSecrets, "secret" | "salt">;
  manifest: Manifest;
  /** The newest known revision. */
  after: number;
  signal?: AbortSignal | undefined;
}

/** Sends the next manifest, again if another manifest came first. @returns the manifest's revision @throws ApiError */
export async function putManifest(calls: ManifestCalls, next: NextManifest): Promise<number> {
  for (let { after } = next; ;) {
    try {
      return await putNext(calls, { ...next, after });
    } catch (error) {
      const newest = newestRevision(error);
      if (newest === null || newest <= after) throw error;
      after = newest;
    }
  }
}

/** @returns the manifest's revision @throws ApiError; `newestRevision` says whether another manifest came first */
async function putNext(
  calls: ManifestCalls,
  { uploadId, secrets, manifest, after, signal }: NextManifest,
): Promise<number> {
  const keys = await deriveContentKeys(secrets.secret, secrets.salt);
  const revision = after + 1;
  const body = toBase64url(await sealManifest(keys, revision, manifest));
  await calls.putManifest(uploadId, { revision, final: manifest.final, body }, signal);
  return revision;
}

/** @returns the server's newest revision, if the error says that another manifest came first; otherwise null */
function newestRevision(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.body.code !== "MANIFEST_CONFLICT") return null;
  const { revision } = error.body;
  return typeof revision === "number" ? revision : null;
}

/** How often an edit is tried anew because somebody else's edit came between reading and writing the manifest. */
const MAX_CONFLICTS = 5;

type EditedLink = Pick<KeptLink, "downloadId" | "uploadId" | "secret" | "salt" | "access">;
export type Edit = (manifest: Manifest) => Manifest;

/**
 * Edits the manifest that recipients read. Applies the edit again if another edit comes first.
 * @returns null, without a change, if no file would be left @throws ApiError, SealError
 */
export async function editManifest(
  calls: ManifestCalls,
  link: EditedLink,
  edit: Edit,
): Promise<{ manifest: Manifest; revision: number } | null> {
  for (let conflicts = 0; ; conflicts += 1) {
    const read = await readManifest(calls, link);
    const manifest = edit(read.manifest);
    if (manifest.files.length === 0) return null;
    try {
      const revision = await putNext(calls, { uploadId: link.uploadId, secrets: link, manifest, after: read.revision });
      return { manifest, revision };
    } catch (error) {
      if (newestRevision(error) === null || conflicts === MAX_CONFLICTS) throw error;
    }
  }
}
