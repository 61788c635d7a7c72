import type { Manifest } from "#domain/seal/manifest.ts";
import type { ManifestCalls } from "../calls.ts";
import type { KeptLink } from "./kept-link.ts";
import { newestRevision, putNext, readManifest } from "./manifest-on-server.ts";

/** Other edits that may come between the reading and the writing of one. */
const MAX_CONFLICTS = 5;

type EditedLink = Pick<KeptLink, "downloadId" | "uploadId" | "secret" | "salt" | "access">;
export type Edit = (manifest: Manifest) => Manifest;

/**
 * Changes what recipients read. An edit that came first stays: this one follows it.
 * @returns null when nothing would be left to list: nothing is changed then @throws ApiError, SealError
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
