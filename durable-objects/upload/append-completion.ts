import { SECOND_MS } from "#domain/units.ts";
import { OFFSET_CONFLICT, type AppendResult, type CompleteResult } from "./results.ts";

/** A client waits this long at most for the end of its upload, which goes on without it. */
const COMPLETION_WAIT_MS = 20 * SECOND_MS;

/** @param appended what a request has come to @returns the same, once an upload that is whole has been completed */
export async function completeAppended(
  appended: AppendResult,
  complete: () => Promise<CompleteResult>,
): Promise<AppendResult> {
  if (!appended.ok || appended.expiresAt !== null) return appended;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, COMPLETION_WAIT_MS, null);
  });
  try {
    const completed = await Promise.race([complete(), timeout]);
    if (completed?.ok) return { ...appended, ...(completed.hasEvents && { hasEvents: true }) };
    // The alarm goes on with it.
    if (!completed || completed.code === "STORAGE_UNAVAILABLE") return appended;
    // Storage has lost parts, so the upload begins anew.
    return completed.code === "UPLOAD_INCOMPLETE" ? OFFSET_CONFLICT : completed;
  } finally {
    clearTimeout(timer);
  }
}
