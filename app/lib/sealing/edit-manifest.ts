import type { Manifest } from "#domain/seal/manifest.ts";
import { portablePaths } from "#domain/transfers/portable-paths.ts";
import { changeKeptLink, findKeptLink, type KeptLink } from "./kept-links.ts";
import { newestRevision, putNext, readManifest } from "./manifest-on-server.ts";

/** Other edits that may come between the reading and the writing of one. */
const MAX_CONFLICTS = 5;

type EditedLink = Pick<KeptLink, "downloadId" | "uploadId" | "secret" | "salt" | "access">;
type Edit = (manifest: Manifest) => Manifest;

/**
 * Changes what recipients read. An edit that came first stays: this one follows it.
 * @returns null when nothing would be left to list: nothing is changed then @throws ApiError, SealError
 */
export async function editManifest(
  link: EditedLink,
  edit: Edit,
): Promise<{ manifest: Manifest; revision: number } | null> {
  for (let conflicts = 0; ; conflicts += 1) {
    const read = await readManifest(link);
    const manifest = edit(read.manifest);
    if (manifest.files.length === 0) return null;
    try {
      const revision = await putNext({ uploadId: link.uploadId, secrets: link, manifest, after: read.revision });
      return { manifest, revision };
    } catch (error) {
      if (newestRevision(error) === null || conflicts === MAX_CONFLICTS) throw error;
    }
  }
}

/** As `editManifest`, with the keys that this browser keeps. @throws ApiError, SealError, TypeError without them */
export async function editKeptManifest(downloadId: string, edit: Edit): Promise<void> {
  const kept = await findKeptLink(downloadId);
  if (!kept) throw new TypeError("the key of this link is not kept here");
  const edited = await editManifest(kept, edit);
  if (edited) await changeKeptLink(downloadId, edited);
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
