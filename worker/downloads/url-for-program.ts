import { PRODUCT_NAME } from "#domain/brand.ts";
import { AppError } from "#domain/errors.ts";
import { basicPassword } from "#domain/programs.ts";
import type { RequestContext } from "../context.ts";
import { issueProgramLease } from "../links/leases.ts";
import { recipientTokenOf, openLink } from "../links/open-link.ts";
import { contentUrl } from "../urls.ts";
import { unlockLink } from "./unlock-link.ts";

/**
 * The URL at which a program gets a link's bytes, with grant and lease, because programs keep no cookies. The download
 * begins with the first byte, not with the redirect. @param now epoch milliseconds @throws AppError LINK_LOCKED without
 * the password, SEALED for an encrypted link, RATE_LIMITED, as `unlockLink`, `openLink`
 */
export async function urlForProgram(context: RequestContext, downloadId: string, now: number): Promise<string> {
  const { request, services } = context;
  await context.enforceRateLimit("downloadInfo");
  const password = basicPassword(request.headers.get("authorization") ?? "");
  const token = recipientTokenOf(request);
  const query = new URLSearchParams(token === null ? {} : { for: token });
  const follow = new URL(request.url).searchParams.get("follow");
  if (follow !== null) query.set("follow", follow);
  try {
    const { file } = await openLink(context, downloadId, password === null ? "see" : "unlock", now);
    if (file.seal !== null) throw sealedError();
    if (file.passwordHash !== null && password !== null) {
      const { grant } = await unlockLink(context, downloadId, { password }, now);
      if (grant !== null) query.set("grant", grant);
    }
    if (file.maxDownloads !== null) {
      await context.enforceRateLimit("take");
      query.set("take", await issueProgramLease(context, downloadId));
    }
  } catch (error) {
    throw error instanceof AppError && error.code === "LINK_LOCKED" ? lockedError(error) : error;
  }
  const address = contentUrl(services.settings, downloadId);
  return query.size > 0 ? `${address}?${query.toString()}` : address;
}

function lockedError(error: AppError): AppError {
  if (error.details["guard"] === "sealed") return sealedError();
  return new AppError("LINK_LOCKED", { message: `${error.message} Send it with: curl -u :PASSWORD` });
}

function sealedError(): AppError {
  const command = PRODUCT_NAME.toLowerCase();
  const message = `This is encrypted end to end. Open it with the whole link, which ends in its key: ${command} get 'LINK'`;
  return new AppError("SEALED", { message });
}
