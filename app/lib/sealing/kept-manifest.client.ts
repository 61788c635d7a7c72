import type { Manifest } from "#domain/seal/manifest.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { ApiError } from "#engine/api-error.ts";
import { editManifest, readManifest, type Edit } from "#engine/sealing/manifest-on-server.ts";
import { changeKeptLink, findKeptLink } from "./kept-links.client.ts";
import { manifestCalls } from "./manifest-calls.ts";

/** @returns the newest one that this browser can read; null for a link that is not kept here @throws ApiError, SealError */
export async function readKeptManifest(downloadId: string): Promise<Manifest | null> {
  const kept = await findKeptLink(downloadId);
  if (!kept) return null;
  try {
    return (await readManifest(manifestCalls, kept)).manifest;
  } catch (error) {
    // After a change of the password elsewhere, what this browser knows is all there is.
    if (error instanceof ApiError && error.status === 403) return kept.manifest;
    throw error;
  }
}

/**
 * Does what `editManifest` does, with the keys that this browser keeps.
 * @throws ApiError, SealError, TypeError without them
 */
export async function editKeptManifest(downloadId: string, edit: Edit): Promise<void> {
  const kept = await findKeptLink(downloadId);
  if (!kept) throw new TypeError("the key of this link is not kept here");
  const edited = await editManifest(manifestCalls, kept, edit);
  if (edited) await changeKeptLink(downloadId, edited);
}

/** @param isTransfer true: changes the title; false: the name of the single file, made portable */
export function renamed(
  { message: _before, ...manifest }: Manifest,
  isTransfer: boolean,
  { filename, message = "" }: { filename: string; message?: string },
): Manifest {
  if (isTransfer) return { ...manifest, title: filename, ...(message !== "" && { message }) };
  return { ...manifest, files: manifest.files.map((file) => ({ ...file, name: portableName(filename) })) };
}
