import { isIndexLast } from "#domain/mp4.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ApiError, messageFromBody, parseObject } from "#engine/api-error.ts";
import { pause } from "#engine/timing.ts";
import { changesPage, refusalOf } from "./refusal.ts";

/** The pause before the first byte is asked for again, if the server names none. */
const RETRY_MS = 5 * SECOND_MS;

/** As many bytes hold the headers of the boxes before a film's index, whose own content is short. */
const INDEX_BYTES = 4096;

/**
 * Starts the download of a file that is being uploaded, once the server has its first byte. The browser would report a
 * download that has none yet as failed. Loads the page anew if the link is locked or gone.
 * @param href the address that follows the upload @param notStarted says that the download was not started
 * @returns null, or why the download was not started, in the reader's language
 * @throws AbortError
 */
export async function startFollowing(href: string, notStarted: string, signal: AbortSignal): Promise<string | null> {
  try {
    await fetchStart(href, 1, signal);
    location.assign(href);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (changesPage(error)) location.reload();
    return refusalOf(error, notStarted).message;
  }
}

/**
 * Whether the index of a film that is being uploaded is last. @param href the address of its preview
 * @throws ApiError; TypeError without an answer; AbortError
 */
export async function findIndexLast(href: string, signal: AbortSignal): Promise<boolean> {
  return isIndexLast(await fetchStart(href, INDEX_BYTES, signal));
}

async function fetchStart(href: string, bytes: number, signal: AbortSignal): Promise<Uint8Array> {
  for (;;) {
    const response = await fetch(href, { headers: { range: `bytes=0-${bytes - 1}` }, signal });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    const body = parseObject(await response.text()) ?? {};
    if (body.code !== "UPLOAD_UNFINISHED") {
      throw new ApiError(response.status, messageFromBody(body) ?? `${response.status}`, body);
    }
    const seconds = Number(response.headers.get("retry-after"));
    await pause(seconds > 0 ? seconds * SECOND_MS : RETRY_MS, signal);
  }
}
