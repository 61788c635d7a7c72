import { AppError } from "#domain/errors.ts";
import { downloadId as downloadIdSchema, type UnlockAnswer } from "#domain/wire.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { describeDownload } from "../downloads/download-info.ts";
import { openLink } from "../downloads/open-link.ts";
import { enforceRateLimit, giveBackRateLimit, type Caller } from "../limits/enforce-rate-limit.ts";
import type { Services } from "../services.ts";
import { giveGrant } from "./grants.ts";
import { isLinkPassword } from "./link-password.ts";
import { noteWrongPassword } from "./wrong-passwords.ts";

/**
 * Checks a link's password and sets the grant's cookies.
 * @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED, and the errors of `openLink` but LINK_LOCKED
 */
export async function unlockLink(
  context: RequestContext,
  downloadId: string,
  password: string,
  now: number,
): Promise<UnlockAnswer> {
  const { services, request } = context;
  const isLink = downloadIdSchema.safeParse(downloadId).success;
  const caller = { address: addressOf(request), ...(isLink ? { link: downloadId } : {}) };
  const [, { file }] = await Promise.all([
    enforceUnlockLimits(services, caller),
    openLink(context, downloadId, "unlock", now),
  ]);
  if (file.passwordHash === null) return { info: await describeDownload(services, file), grant: null, until: null };
  if (!(await isLinkPassword(services, file.passwordHash, password))) {
    services.waitUntil(noteWrongPassword(services, file, caller));
    throw new AppError("LINK_PASSWORD_WRONG");
  }
  // An office of fifty may unlock from one address.
  services.waitUntil(
    Promise.all([giveBackRateLimit(services, "unlock", caller), giveBackRateLimit(services, "unlockAny", caller)]),
  );
  const { grant, until } = await giveGrant(context, file, now);
  return { info: await describeDownload(services, file), grant, until: new Date(until).toISOString() };
}

async function enforceUnlockLimits(services: Services, caller: Caller): Promise<void> {
  await enforceRateLimit(services, "unlock", caller);
  await enforceRateLimit(services, "unlockAny", caller);
}
