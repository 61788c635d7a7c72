import { AppError } from "#domain/errors.ts";
import type { AdminViewer } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";

/**
 * Refuses whoever has no administrator's session; a user's session is none (decisions, Admin).
 * @returns the administrator
 * @throws AppError ADMIN_REQUIRED
 */
export async function requireAdmin({ currentAdmin }: RequestContext): Promise<AdminViewer> {
  const admin = await currentAdmin();
  if (!admin) throw new AppError("ADMIN_REQUIRED");
  return admin;
}
