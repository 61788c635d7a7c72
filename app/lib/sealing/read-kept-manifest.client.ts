import type { Manifest } from "#domain/seal/manifest.ts";
import { ApiError } from "#engine/api-error.ts";
import { readManifest } from "#engine/sealing/manifest-on-server.ts";
import { findKeptLink } from "./kept-links.client.ts";
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
