import { AppError } from "#domain/errors.ts";
import type { AdminViewer } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";

/** A user's session does not count (decision 018). @throws AppError ADMIN_REQUIRED */
export async function requireAdmin({ currentAdmin }: RequestContext): Promise<AdminViewer> {
  const admin = await currentAdmin();
  if (!admin) throw new AppError("ADMIN_REQUIRED");
  return admin;
}
