import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import type { ChangeProtection, LinkProtectionNow, ListedFile } from "#domain/wire.ts";
import { ownerKeyOf, type FileOwner } from "../callers/caller.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { updateProtection, type ProtectionChange } from "../db/protection.ts";
import { expiredError, usedUpError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { describeProtection, encodeSeal, sealOf } from "../links/describe-link.ts";
import { askGate } from "../links/leases.ts";
import { hashLinkPassword } from "../links/link-password.ts";
import type { Services } from "../services.ts";
import { requireOwn, toListedFile } from "./files.ts";

/**
 * Changes the protection of a link whose upload runs or has finished. The link's gate gets a new download limit before
 * D1, because the gate decides. If D1 fails after that, the limit has changed and the password has not; a repeated call
 * changes both.
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, NOT_SEALED, BAD_REQUEST for a sealed link's `password`, FILE_EXPIRED or
 * DOWNLOADS_USED_UP for a link that has ended, GATE_UNAVAILABLE
 */
export async function changeProtection(
  services: Services,
  owner: FileOwner,
  id: string,
  { password, maxDownloads, letGoOn, ...rewrapped }: ChangeProtection,
  now: number,
): Promise<ListedFile> {
  const file = requireOwn(await findFileById(services.db, id), owner);
  if (file.seal !== null && password !== undefined) {
    throw localizedError("BAD_REQUEST", "sealedPassword", {}, { field: "password" });
  }
  const change: ProtectionChange = {
    ...(maxDownloads === undefined ? {} : { maxDownloads }),
    ...(password === undefined
      ? {}
      : { passwordHash: password === null ? null : await hashLinkPassword(services, password) }),
    ...rewrap(file, rewrapped),
  };
  const { downloadId } = file;
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  // Asks the gate even if the row has no limit, because a gate may be left from an earlier limit.
  if (maxDownloads !== undefined && !(await askGate(services, downloadId, (gate) => gate.setLimit(maxDownloads)))) {
    throw usedUpError(file.maxDownloads ?? file.downloadsUsed);
  }
  if (letGoOn && file.maxDownloads !== null) await askGate(services, downloadId, (gate) => gate.letGoOn());
  const changesRow = Object.keys(change).length > 0;
  const changed = changesRow ? await updateProtection(services.db, id, ownerKeyOf(owner), change, now) : file;
  if (!changed) throw expiredError(file);
  if (maxDownloads === null) await askGate(services, downloadId, (gate) => gate.forget());
  return toListedFile(changed, now);
}

/** Sets or removes an encrypted link's password without changing its files. @throws AppError NOT_SEALED */
function rewrap(
  file: FileRow,
  { wrap, accessHash, kdf }: Pick<ChangeProtection, "wrap" | "accessHash" | "kdf">,
): Pick<ProtectionChange, "rewrapped"> {
  if (wrap === undefined || accessHash === undefined) return {};
  const seal = sealOf(file);
  if (seal === null) throw new AppError("NOT_SEALED");
  const kdfNow = kdf === undefined ? seal.kdf : (kdf ?? undefined);
  return { rewrapped: { seal: encodeSeal({ ...seal, wrap, kdf: kdfNow }), accessHash } };
}

/** @throws AppError FILE_NOT_FOUND, GATE_UNAVAILABLE */
export async function readProtection(services: Services, owner: FileOwner, id: string): Promise<LinkProtectionNow> {
  const file = requireOwn(await findFileById(services.db, id), owner);
  const guards = describeProtection(file) ?? {
    password: false,
    sealed: false,
    maxDownloads: null,
    downloadsUsed: file.downloadsUsed,
    isUsedUp: false,
  };
  if (file.maxDownloads === null) return { ...guards, running: 0, isWaiting: false };
  const now = await askGate(services, file.downloadId, (gate) => gate.status());
  return {
    ...guards,
    downloadsUsed: Math.max(guards.downloadsUsed, now?.used ?? 0),
    running: now?.running ?? 0,
    isWaiting: now?.isWaiting ?? false,
  };
}
