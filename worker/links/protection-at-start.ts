import type { ProtectionAtStart, SealAtStart } from "#domain/wire.ts";
import { ownerKeyOf, type Caller } from "../callers/caller.ts";
import type { FileRow } from "../db/files.ts";
import { updateProtection, type ProtectionChange } from "../db/protection.ts";
import type { NewFile } from "../db/uploads.ts";
import type { Services } from "../services.ts";
import { encodeSeal } from "./describe-link.ts";
import { askGate } from "./leases.ts";
import { hashLinkPassword, isLinkPassword } from "./link-password.ts";

export type KeptProtection = Pick<NewFile, "passwordHash" | "maxDownloads">;
type StoredGuards = KeptProtection & Pick<NewFile, "seal" | "accessHash" | "manifest">;

/**
 * The protection columns of a new link.
 * @param kept the protection of the replaced link, for fields that the start does not name
 */
export async function storeProtection(
  services: Services,
  { guards = {}, seal }: { guards?: ProtectionAtStart | undefined; seal?: SealAtStart | undefined },
  kept: KeptProtection = { passwordHash: null, maxDownloads: null },
): Promise<StoredGuards> {
  const { password, maxDownloads } = guards;
  return {
    passwordHash: password === undefined ? kept.passwordHash : await hashLinkPassword(services, password),
    maxDownloads: maxDownloads ?? kept.maxDownloads,
    seal: seal ? encodeSeal(seal) : null,
    accessHash: seal?.accessHash ?? null,
    manifest: seal?.manifest ?? null,
  };
}

/**
 * When an upload is resumed, sets the protection that the new start names, and keeps the rest.
 * @returns the changed row
 */
export async function updateResumedProtection(
  services: Services,
  caller: Caller,
  file: FileRow,
  { password, maxDownloads }: ProtectionAtStart = {},
  now: number,
): Promise<FileRow> {
  const change: ProtectionChange = {};
  if (maxDownloads !== undefined && maxDownloads !== file.maxDownloads) change.maxDownloads = maxDownloads;
  if (password !== undefined) {
    // Keeps the hash of an unchanged password, because a new hash would end the grants of people who follow the upload.
    const isSame = file.passwordHash !== null && (await isLinkPassword(services, file.passwordHash, password));
    if (!isSame) change.passwordHash = await hashLinkPassword(services, password);
  }
  if (Object.keys(change).length === 0) return file;
  const limit = change.maxDownloads;
  if (limit !== undefined) await askGate(services, file.downloadId, (gate) => gate.setLimit(limit));
  return (await updateProtection(services.db, file.id, ownerKeyOf(caller), change, now)) ?? file;
}
