import { toBase64url } from "#domain/bytes-as-text.ts";
import { deriveContentKeys } from "#domain/seal/keys.ts";
import { openManifest } from "#domain/seal/manifest.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { accessOf, bytesOf, readLink, secretsOf, type LinkProblem } from "#engine/sealing/link-keys.ts";
import { ApiError } from "../api.ts";
import { keepLink } from "./kept-links.client.ts";
import { manifestCalls } from "./manifest-calls.ts";
import { hashPassword } from "./password-hash.ts";

export type AdoptProblem = { problem: LinkProblem | "wrongPassword" | "wrongKey"; characters?: number };

const UNFINISHED = { fingerprint: "", expiresAt: null };

interface Adopted extends Pick<UnfinishedUpload, "uploadId" | "downloadId"> {
  seal: NonNullable<UnfinishedUpload["seal"]>;
  /** The uploading account's id; null for a visitor. */
  userId: string | null;
}

/**
 * Takes an unfinished upload's keys from its link, so that this browser can resume the upload. @throws ApiError
 * @param pasted the whole link @param password "" for none @returns null once the keys are stored, else the problem
 */
export async function adoptLink(
  { uploadId, downloadId, seal, userId }: Adopted,
  pasted: string,
  password: string,
): Promise<AdoptProblem | null> {
  const read = readLink(pasted, downloadId);
  if ("problem" in read) return read;
  if (seal.kdf && password === "") return { problem: "wrongPassword" };
  try {
    const linkKeys = await accessOf(hashPassword, read.linkSecret, seal, password);
    const opened = await manifestCalls.unlock(downloadId, toBase64url(linkKeys.access));
    const secrets = await secretsOf(read.linkSecret, linkKeys, opened);
    const keys = await deriveContentKeys(secrets.secret, secrets.salt);
    const { revision } = opened;
    const manifest = await openManifest(keys, revision, bytesOf(opened.manifest));
    await keepLink({ ...secrets, uploadId, downloadId, userId, manifest, revision, ...UNFINISHED });
    return null;
  } catch (error) {
    const isRefused = error instanceof SealError || (error instanceof ApiError && error.status === 403);
    if (!isRefused) throw error;
    return { problem: seal.kdf ? "wrongPassword" : "wrongKey" };
  }
}
