import { AppError } from "#domain/errors.ts";
import type { AdminViewer } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { requireConfirmedAdmin } from "./confirm.ts";
import type { AdminSession } from "./sessions.ts";

/** Requires an admin session. A user's session does not count (decision 018). @throws AppError ADMIN_REQUIRED */
export async function requireAdmin(context: RequestContext): Promise<AdminViewer> {
  return (await requireAdminSession(context)).viewer;
}

/** @throws AppError ADMIN_REQUIRED */
export async function requireAdminSession({ currentAdminSession }: RequestContext): Promise<AdminSession> {
  const session = await currentAdminSession();
  if (!session) throw new AppError("ADMIN_REQUIRED");
  return session;
}

/**
 * For sensitive calls: requires that the session began, or was confirmed, in the last ten minutes.
 * @param now epoch milliseconds @throws AppError ADMIN_REQUIRED, CONFIRM_REQUIRED with `methods`
 */
export async function requireAdminConfirmed(context: RequestContext, now: number): Promise<AdminViewer> {
  const session = await requireAdminSession(context);
  await requireConfirmedAdmin(context.services, session, now);
  return session.viewer;
}
