import { ApiError } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import type { ListedFile } from "#domain/wire.ts";

/** How many calls run at once: a server in a distant place answers several about as fast as one. */
const AT_ONCE = 4;

/** A link for which a call failed. */
export interface FailedFile {
  file: ListedFile;
  /** Why, for people. */
  reason: string;
}

/**
 * Calls the server for each link, for all of them even if some fail.
 * @param onProgress called with the number of links that are done, failed ones included
 * @returns the links that failed, in their order in `files`
 */
export async function forEachFile(
  files: readonly ListedFile[],
  change: (file: ListedFile) => Promise<unknown>,
  fallback: string,
  onProgress: (done: number) => void,
): Promise<FailedFile[]> {
  const reasons = new Map<ListedFile, string>();
  const waiting = [...files];
  let done = 0;
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      await change(file).catch((error: unknown) => reasons.set(file, messageOf(error, fallback)));
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return files.flatMap((file) => {
    const reason = reasons.get(file);
    return reason === undefined ? [] : [{ file, reason }];
  });
}

/** Whether a deletion failed because the link was deleted before. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
