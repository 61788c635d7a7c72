import { AppError } from "#domain/errors.ts";
import type { UnlockAnswer } from "#domain/wire.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { describeDownload } from "../downloads/download-info.ts";
import { openLink } from "../downloads/open-link.ts";
import { enforceRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
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
  const caller = { address: addressOf(request), link: downloadId };
  const [, { file }] = await Promise.all([
    enforceRateLimit(services, "unlock", caller),
    openLink(context, downloadId, "unlock", now),
  ]);
  if (file.passwordHash === null) return { info: await describeDownload(services, file), grant: null, until: null };
  if (!(await isLinkPassword(services, file.passwordHash, password))) {
    services.waitUntil(noteWrongPassword(services, file, caller));
    throw new AppError("LINK_PASSWORD_WRONG");
  }
  // An office of fifty may unlock from one address.
  services.waitUntil(giveBackRateLimit(services, "unlock", caller));
  const { grant, until } = await giveGrant(context, file, now);
  return { info: await describeDownload(services, file), grant, until: new Date(until).toISOString() };
}
