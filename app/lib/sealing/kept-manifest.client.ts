import type { Manifest } from "#domain/seal/manifest.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { ApiError } from "#engine/api-error.ts";
import { editManifest, readManifest, type Edit } from "#engine/sealing/manifest-on-server.ts";
import { changeKeptLink, findKeptLink } from "./kept-links.client.ts";
import { manifestCalls } from "./manifest-calls.ts";

/** @returns the newest readable manifest; null for a link that is not kept here @throws ApiError, SealError */
export async function readKeptManifest(downloadId: string): Promise<Manifest | null> {
  const kept = await findKeptLink(downloadId);
  if (!kept) return null;
  try {
    return (await readManifest(manifestCalls, kept)).manifest;
  } catch (error) {
    // The password was changed elsewhere, so this browser can read only its own copy.
    if (error instanceof ApiError && error.status === 403) return kept.manifest;
    throw error;
  }
}

/** Calls `editManifest` with the keys kept here. @throws ApiError, SealError; TypeError without the keys */
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
