import type { Manifest } from "#domain/seal/manifest.ts";
import { portablePaths } from "#domain/transfers/portable-paths.ts";
import { changeKeptLink, findKeptLink } from "./kept-links.ts";
import { putManifest, readManifest } from "./manifest-on-server.ts";

/** Changes what recipients read. Does nothing when nothing is left to list. @throws ApiError, SealError, TypeError */
export async function editKeptManifest(downloadId: string, edit: (manifest: Manifest) => Manifest): Promise<void> {
  const kept = await findKeptLink(downloadId);
  if (!kept) throw new TypeError("the key of this link is not kept here");
  const { manifest, revision } = await readManifest(kept);
  const edited = edit(manifest);
  if (edited.files.length === 0) return;
  await putManifest(kept.uploadId, kept, edited, revision);
  await changeKeptLink(downloadId, { manifest: edited });
}

/** @param isTransfer its title is another one, else its file's name, as every system can hold it */
export function renamed(
  { message: _before, ...manifest }: Manifest,
  isTransfer: boolean,
  { filename, message = "" }: { filename: string; message?: string },
): Manifest {
  if (isTransfer) return { ...manifest, title: filename, ...(message !== "" && { message }) };
  const [path] = portablePaths([{ path: filename.replaceAll("/", "_"), isFolder: false }]).paths;
  return { ...manifest, files: manifest.files.map((file) => ({ ...file, name: path ?? file.name })) };
}
