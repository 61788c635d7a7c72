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
 * Checks a link's password, or the access of an encrypted link, and sets the grant's cookies. Without a password there
 * is nothing to guess: such a call counts as looking at the link.
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
  const { file } = await openLink(context, downloadId, "unlock", now);
  if (hasPassword(file)) await checkPassword(services, file, request, caller);
  else {
    await enforceRateLimit(services, "downloadInfo", caller);
    if (!(await isKey(services, file, request))) throw new AppError("LINK_PASSWORD_WRONG");
  }
  if (file.passwordHash === null && file.accessHash === null) {
    return { info: await describeDownload(services, file), grant: null, until: null };
  }
  const [{ grant, until }, info, seal] = await Promise.all([
    giveGrant(context, file, now),
    describeDownload(services, file),
    openSeal(services, file),
  ]);
  return { info, grant, until: new Date(until).toISOString(), ...seal };
}

/** Only a wrong password is counted: an office of fifty may unlock from one address. @throws AppError LINK_PASSWORD_WRONG */
async function checkPassword(services: Services, file: FileRow, request: UnlockRequest, caller: Caller): Promise<void> {
  await enforceUnlockLimits(services, caller);
  let isRight = true;
  try {
    isRight = await isKey(services, file, request);
  } finally {
    services.waitUntil(isRight ? giveBackUnlockLimits(services, caller) : noteWrongPassword(services, file, caller));
  }
  if (!isRight) throw new AppError("LINK_PASSWORD_WRONG");
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

/** Else an encrypted link opens by 256 random bits, which nobody guesses. */
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
