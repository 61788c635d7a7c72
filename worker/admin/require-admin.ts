import { AppError } from "#domain/errors.ts";
import type { RequestContext } from "../context.ts";

/**
 * Refuses whoever has no administrator's session; a user's session is none (decisions, Admin).
 * @throws AppError ADMIN_REQUIRED
 */
export async function requireAdmin({ currentAdmin }: RequestContext): Promise<void> {
  if (!(await currentAdmin())) throw new AppError("ADMIN_REQUIRED");
}
