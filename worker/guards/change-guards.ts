import { isExpired } from "#domain/expiry.ts";
import type { ChangeGuards, LinkGuardsNow, ListedFile } from "#domain/wire.ts";
import { findFileById } from "../db/files.ts";
import { updateGuards, type GuardChange } from "../db/guards.ts";
import { expiredError, usedUpError } from "../errors/link-errors.ts";
import { requireOwn, toListedFile } from "../files/files.ts";
import type { Services } from "../services.ts";
import type { FileOwner } from "../uploads/uploader.ts";
import { describeGuards } from "./describe-guards.ts";
import { hashLinkPassword } from "./link-password.ts";
import { askGate } from "./leases.ts";

/**
 * Changes the guards of a link whose upload runs or has finished. The gate learns a limit first, since it decides. If D1
 * then fails, the limit has changed and a password has not: the same call again changes both.
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED or DOWNLOADS_USED_UP for a link that has ended, GATE_UNAVAILABLE
 */
export async function changeGuards(
  services: Services,
  owner: FileOwner,
  id: string,
  { password, maxDownloads, letGoOn }: ChangeGuards,
  now: number,
): Promise<ListedFile> {
  const file = requireOwn(await findFileById(services.db, id), owner);
  const change: GuardChange = {
    ...(maxDownloads === undefined ? {} : { maxDownloads }),
    ...(password === undefined
      ? {}
      : { passwordHash: password === null ? null : await hashLinkPassword(services, password) }),
  };
  const { downloadId } = file;
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  // Asked also where the row has no limit: a gate may be left from an earlier one.
  if (maxDownloads !== undefined && !(await askGate(services, downloadId, (gate) => gate.setLimit(maxDownloads)))) {
    throw usedUpError(file.maxDownloads ?? file.downloadsUsed);
  }
  if (letGoOn && file.maxDownloads !== null) await askGate(services, downloadId, (gate) => gate.letGoOn());
  const changesRow = Object.keys(change).length > 0;
  const changed = changesRow ? await updateGuards(services.db, id, owner, change, now) : file;
  if (!changed) throw expiredError(file);
  if (maxDownloads === null) await askGate(services, downloadId, (gate) => gate.forget());
  return toListedFile(changed, now);
}

/** @throws AppError FILE_NOT_FOUND, GATE_UNAVAILABLE */
export async function readGuards(services: Services, owner: FileOwner, id: string): Promise<LinkGuardsNow> {
  const file = requireOwn(await findFileById(services.db, id), owner);
  const guards = describeGuards(file) ?? {
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
