import { fromBase64url } from "#domain/bytes-as-text.ts";
import { AppError } from "#domain/errors.ts";
import { ACCESS_BYTES, isEqual } from "#domain/seal/keys.ts";
import {
  downloadId as downloadIdSchema,
  type OpenedSeal,
  type UnlockAnswer,
  type UnlockRequest,
  type UnlockSealedAnswer,
} from "#domain/wire.ts";
import { ipOf, type RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { anySessionOf } from "../callers/sessions.ts";
import { findEmail } from "../db/users.ts";
import {
  enforceRateLimit,
  giveBackRateLimit,
  type LimitedCaller,
  isWithinRateLimit,
} from "../limits/enforce-rate-limit.ts";
import { sealOf, mailedName } from "../links/describe-link.ts";
import { giveGrant, isLinkPassword } from "../links/link-password.ts";
import { openLink } from "../links/open-link.ts";
import { logError } from "../log.ts";
import { passwordGuessedMessage } from "../mail/messages/files.tsx";
import type { Services } from "../services.ts";
import { describeDownload } from "./download-info.ts";

/**
 * Checks a link's password, or an encrypted link's access, and sets the grant's cookies. A call for a link without a
 * password counts as a look at the link, because there is no password to guess.
 * @returns the link's description, and for an encrypted link its wrapped secret and manifest
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
  const caller = { ip: ipOf(context.request), ...(isLink ? { link: downloadId } : {}) };
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

/** Counts only wrong passwords: fifty people may unlock from one IP address. @throws AppError LINK_PASSWORD_WRONG */
async function checkPassword(
  services: Services,
  file: FileRow,
  request: UnlockRequest,
  caller: LimitedCaller,
): Promise<void> {
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

/** @returns an empty object for a plain link */
async function openSeal(services: Services, file: FileRow): Promise<OpenedSeal | Record<never, never>> {
  const seal = sealOf(file);
  if (seal === null) return {};
  const manifest = await anySessionOf(services, file).readManifest(file.id);
  if (manifest === null) throw new AppError("FILE_EXPIRED");
  const { revision, final, body } = manifest;
  return { ...seal, revision, final, manifest: body };
}

/** An encrypted link without a password opens by 256 random bits, which nobody guesses. */
function hasPassword(file: FileRow): boolean {
  return file.passwordHash !== null || sealOf(file)?.kdf !== undefined;
}

async function giveBackUnlockLimits(services: Services, caller: LimitedCaller): Promise<void> {
  await Promise.all([giveBackRateLimit(services, "unlock", caller), giveBackRateLimit(services, "unlockAny", caller)]);
}

async function enforceUnlockLimits(services: Services, caller: LimitedCaller): Promise<void> {
  await enforceRateLimit(services, "unlock", caller);
  await enforceRateLimit(services, "unlockAny", caller);
}

/**
 * Whether `access` opens an encrypted link. Compares in constant time.
 * @param accessHash SHA-256 of the right access, as base64url @param access as base64url
 */
async function isAccess(accessHash: string, access: string): Promise<boolean> {
  const bytes = fromBase64url(access);
  const expected = fromBase64url(accessHash);
  if (bytes?.length !== ACCESS_BYTES || expected === null) return false;
  return isEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), expected);
}

/**
 * Counts a wrong password of a link, and mails the link's owner once an hour while more than a hundred an hour come.
 * Locks nobody out, because a stranger could then lock out the recipients. Never rejects.
 */
async function noteWrongPassword(services: Services, file: FileRow, caller: LimitedCaller): Promise<void> {
  try {
    if (file.userId === null || (await isWithinRateLimit(services, "wrongLinkPassword", caller))) return;
    if (!(await isWithinRateLimit(services, "guessingMail", caller))) return;
    const email = await findEmail(services.db, file.userId);
    if (email === null) return;
    const link = `${services.settings.origin}/dashboard?guards=${file.id}`;
    await services.outbox.post(passwordGuessedMessage(email, mailedName(file), link));
  } catch (error) {
    logError("guards.guessing_mail_failed", error, { uploadId: file.id });
  }
}
