import { AppError } from "#domain/errors.ts";
import type { Services } from "../context.ts";
import { logFault } from "../log.ts";
import { isBuiltInStore, putCorsRules } from "../storage/cors.ts";

/**
 * Sets the bucket's CORS rules to this deployment's own origin. Anybody may ask: it can only make them right.
 * @throws AppError CORS_UPDATE_FAILED
 */
export async function fixCors({ settings }: Services): Promise<{ success: true; message: string }> {
  if (isBuiltInStore(settings.s3, settings.origin)) {
    return { success: true, message: "The built-in store needs no CORS settings: there is nothing to fix." };
  }
  try {
    await putCorsRules(settings.s3, settings.origin);
  } catch (error) {
    logFault("cors.update_failed", error);
    throw new AppError("CORS_UPDATE_FAILED", { success: false });
  }
  return {
    success: true,
    message: "S3 now takes uploads from this site. It may be a minute before every browser notices.",
  };
}
