import { AppError } from "#domain/errors.ts";
import {
  downloadId as downloadIdSchema,
  type OpenedSeal,
  type UnlockAnswer,
  type UnlockRequest,
  type UnlockSealedAnswer,
} from "#domain/wire.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { describeDownload } from "../downloads/download-info.ts";
import { openLink } from "../downloads/open-link.ts";
import type { FileRow } from "../db/files.ts";
import { readManifest } from "../db/manifests.ts";
import { enforceRateLimit, giveBackRateLimit, type Caller } from "../limits/enforce-rate-limit.ts";
import type { Services } from "../services.ts";
import { giveGrant } from "./grants.ts";
import { isAccess } from "./link-access.ts";
import { isLinkPassword } from "./link-password.ts";
import { sealOf } from "./stored-seal.ts";
import { noteWrongPassword } from "./wrong-passwords.ts";

/**
 * Checks a link's password, or the access of an encrypted link, and sets the grant's cookies.
 * @returns with what opens an encrypted link
 * @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED, and the errors of `openLink` but LINK_LOCKED
 */
export async function unlockLink(
  context: RequestContext,
  downloadId: string,
  request: UnlockRequest,
  now: number,
): Promise<UnlockAnswer | UnlockSealedAnswer> {
  const { services } = context;
  const isLink = downloadIdSchema.safeParse(downloadId).success;
  const caller = { address: addressOf(context.request), ...(isLink ? { link: downloadId } : {}) };
  const [, { file }] = await Promise.all([
    enforceUnlockLimits(services, caller),
    openLink(context, downloadId, "unlock", now),
  ]);
  if (file.passwordHash === null && file.accessHash === null) {
    return { info: await describeDownload(services, file), grant: null, until: null };
  }
  if (!(await isKey(services, file, request))) {
    if (!hasPassword(file)) {
      services.waitUntil(giveBackUnlockLimits(services, caller));
      await enforceRateLimit(services, "downloadInfo", caller);
    } else services.waitUntil(noteWrongPassword(services, file, caller));
    throw new AppError("LINK_PASSWORD_WRONG");
  }
  // An office of fifty may unlock from one address.
  services.waitUntil(giveBackUnlockLimits(services, caller));
  const [{ grant, until }, info, seal] = await Promise.all([
    giveGrant(context, file, now),
    describeDownload(services, file),
    openSeal(services, file),
  ]);
  return { info, grant, until: new Date(until).toISOString(), ...seal };
}

function isKey(services: Services, { accessHash, passwordHash }: FileRow, request: UnlockRequest): Promise<boolean> {
  if (accessHash !== null) return isAccess(accessHash, "access" in request ? request.access : "");
  if (passwordHash === null) return Promise.resolve(true);
  return isLinkPassword(services, passwordHash, "password" in request ? request.password : "");
}

/** @returns nothing for a plain link */
async function openSeal({ db }: Services, file: FileRow): Promise<OpenedSeal | Record<never, never>> {
  const seal = sealOf(file);
  if (seal === null) return {};
  const manifest = await readManifest(db, file.id);
  if (manifest === null) throw new AppError("FILE_EXPIRED");
  const { revision, final, body } = manifest;
  return { ...seal, revision, final, manifest: body };
}

/** Without one, an encrypted link opens by 256 random bits, which nobody guesses. */
function hasPassword(file: FileRow): boolean {
  return file.passwordHash !== null || sealOf(file)?.kdf !== undefined;
}

async function giveBackUnlockLimits(services: Services, caller: Caller): Promise<void> {
  await Promise.all([giveBackRateLimit(services, "unlock", caller), giveBackRateLimit(services, "unlockAny", caller)]);
}

async function enforceUnlockLimits(services: Services, caller: Caller): Promise<void> {
  await enforceRateLimit(services, "unlock", caller);
  await enforceRateLimit(services, "unlockAny", caller);
}
