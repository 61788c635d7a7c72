import { ApiError } from "#app/lib/api.ts";

/** Whether a call failed because the link is locked (401), was cancelled (404), or has ended (410). */
export function changesPage(error: unknown): boolean {
  return error instanceof ApiError && [401, 404, 410].includes(error.status);
}
