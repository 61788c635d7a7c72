import { AppError } from "#domain/errors.ts";
import type { AppendResult } from "#durable-objects/upload/results.ts";
import { toAppError } from "../callers/sessions.ts";

/** @throws AppError UPLOAD_GONE for an upload that has ended, and what else the session refuses */
export function requireAppended(result: AppendResult): Extract<AppendResult, { ok: true }> {
  if (result.ok) return result;
  if (result.code === "NO_UPLOAD" || result.code === "UPLOAD_CLOSED") throw new AppError("UPLOAD_GONE");
  throw toAppError(result);
}
