import type { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { safeFilename, archiveName } from "#domain/file-names.ts";
import type { Kdf } from "#domain/seal/password.ts";
import type { FirstPicture, LinkProtection, SeenProtection, LockedSeal, SealAtStart, SealState } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import { toIso } from "../urls.ts";

/** The row of a link. A new link's row has neither `downloadsUsed` nor `endedAt`. */
type ProtectedRow = Pick<FileRow, "passwordHash" | "maxDownloads" | "seal"> &
  Partial<Pick<FileRow, "downloadsUsed" | "endedAt">>;

/** A link's protection as its owner and administrators see it. @returns null for a link without protection */
export function describeProtection({
  passwordHash,
  maxDownloads,
  seal: storedSeal,
  downloadsUsed = 0,
  endedAt = null,
}: ProtectedRow): LinkProtection | null {
  if (passwordHash === null && maxDownloads === null && storedSeal === null) return null;
  const isUsedUp = maxDownloads !== null && endedAt !== null;
  const seal = sealOf({ seal: storedSeal });
  const password = passwordHash !== null || seal?.kdf !== undefined;
  return { password, sealed: seal !== null, maxDownloads, downloadsUsed, isUsedUp };
}

/** A link's protection as recipients see it. @returns null for a link without protection */
export function seenProtection(row: ProtectedRow): SeenProtection | null {
  const guards = describeProtection(row);
  if (!guards) return null;
  const { password, sealed, maxDownloads, downloadsUsed } = guards;
  return {
    password,
    sealed,
    maxDownloads,
    left: maxDownloads === null ? null : Math.max(0, maxDownloads - downloadsUsed),
  };
}

/** The field `guards` of an answer to the owner; an empty object for a link without protection. */
export function protectionOf(row: ProtectedRow): { guards?: LinkProtection } {
  const guards = describeProtection(row);
  return guards ? { guards } : {};
}

/** The JSON in the column `seal`. Without the link's key, the seal opens nothing. */
interface StoredSeal {
  v: 1;
  salt: string;
  wrap: string;
  commitment: string;
  /** How the password is turned into a key. Undefined if the link's key needs no password. */
  kdf?: Kdf;
}

export function encodeSeal({ v, salt, wrap, commitment, kdf }: Pick<SealAtStart, keyof StoredSeal>): string {
  return JSON.stringify({ v, salt, wrap, commitment, kdf } satisfies Record<keyof StoredSeal, unknown>);
}

/** @returns null for a plain link */
export function sealOf({ seal }: Pick<FileRow, "seal">): StoredSeal | null {
  return seal === null ? null : (JSON.parse(seal) as StoredSeal);
}

/** The fields of a seal that anybody who has the link's URL may see. */
export function lockedSeal({ salt, kdf }: StoredSeal): LockedSeal {
  return { guard: "sealed", salt, ...(kdf && { kdf }) };
}

/** The seal in an error LINK_LOCKED; an empty object for a link that is not encrypted. */
export function lockedSealOf({ details: { guard, salt, kdf } }: AppError): { seal?: LockedSeal } {
  return guard !== "sealed" || salt === undefined ? {} : { seal: { guard, salt, ...(kdf && { kdf }) } };
}

type ManifestColumns = Pick<FileRow, "manifestRevision" | "manifestFinal">;

/** The field `seal` of an answer; an empty object for a plain link. A new link's manifest has revision 0. */
export function sealStateOf(row: { seal: string | null } & Partial<ManifestColumns>): { seal?: SealState } {
  const seal = sealOf(row);
  if (seal === null) return {};
  return { seal: { ...lockedSeal(seal), revision: row.manifestRevision ?? 0, final: row.manifestFinal ?? false } };
}

/** The fields of a file that its owner and administrators both see. */
export function fileFields(file: FileRow, now: number) {
  const expiresAtMs = file.expiresAt?.getTime() ?? null;
  return {
    id: file.id,
    filename: file.entryCount === null ? safeFilename(file.filename) : archiveName(file.filename),
    size: file.size,
    uploadedAt: (file.uploadedAt ?? file.createdAt).toISOString(),
    expiresAt: toIso(expiresAtMs),
    isExpired: isExpired(expiresAtMs, now),
    downloadId: file.downloadId,
    downloadCount: file.downloadCount,
    ...protectionOf(file),
    ...sealStateOf(file),
    ...(file.entryCount === null ? {} : { entries: file.entryCount, title: file.filename, message: file.message }),
  };
}

/** The field `pictures` of an answer to the owner; an empty object for a link that has no pictures, or has ended. */
export function firstPicturesOf(
  { firstPictures, expiresAt }: Pick<FileRow, "firstPictures" | "expiresAt">,
  now: number,
): { pictures?: FirstPicture[] } {
  if (firstPictures === null || isExpired(expiresAt?.getTime() ?? null, now)) return {};
  return { pictures: firstPictures.map(([n, width, height]): FirstPicture => [n, width, height]) };
}

/** The name of a file or transfer in mails and the admin log. Only recipients know an encrypted transfer's name. */
export function mailedName({ filename, seal }: Pick<FileRow, "filename" | "seal">): string {
  return seal === null ? safeFilename(filename) : "Encrypted transfer";
}
