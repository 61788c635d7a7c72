import type { LinkGuards, SeenGuards } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import { sealOf } from "./stored-seal.ts";

/** A new link's row has no counter yet. */
type GuardedRow = Pick<FileRow, "passwordHash" | "maxDownloads" | "seal"> &
  Partial<Pick<FileRow, "downloadsUsed" | "endedAt">>;

/** For the owner and administrators. @returns null for a link without guards */
export function describeGuards({
  passwordHash,
  maxDownloads,
  seal: storedSeal,
  downloadsUsed = 0,
  endedAt = null,
}: GuardedRow): LinkGuards | null {
  if (passwordHash === null && maxDownloads === null && storedSeal === null) return null;
  const isUsedUp = maxDownloads !== null && endedAt !== null;
  const seal = sealOf({ seal: storedSeal });
  const password = passwordHash !== null || seal?.kdf !== undefined;
  return { password, sealed: seal !== null, maxDownloads, downloadsUsed, isUsedUp };
}

/** For recipients. @returns null for a link without guards */
export function seenGuards(row: GuardedRow): SeenGuards | null {
  const guards = describeGuards(row);
  if (!guards) return null;
  const { password, sealed, maxDownloads, downloadsUsed } = guards;
  return {
    password,
    sealed,
    maxDownloads,
    left: maxDownloads === null ? null : Math.max(0, maxDownloads - downloadsUsed),
  };
}

/** The field of an answer to the owner; nothing for a link without guards. */
export function guardsOf(row: GuardedRow): { guards?: LinkGuards } {
  const guards = describeGuards(row);
  return guards ? { guards } : {};
}
