import { isIndexLast } from "#domain/mp4.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ApiError, messageFromBody, parseObject } from "#engine/api-error.ts";
import { pause } from "#engine/timing.ts";

/** The pause before the first byte is asked for again, if the server names none. */
const RETRY_MS = 5 * SECOND_MS;

/** As many bytes hold the headers of the boxes before a film's index, whose own content is short. */
const INDEX_BYTES = 4096;

/**
 * Waits until the server has the first byte of a file that is being uploaded. The browser would report a download that
 * has none yet as failed.
 * @param href the address that follows the upload @throws ApiError for any other refusal; TypeError without an answer;
 *   AbortError
 */
export async function waitForFirstByte(href: string, signal: AbortSignal): Promise<void> {
  await fetchStart(href, 1, signal);
}

/** Whether a film that is being uploaded can start before all of it is there. @throws as `waitForFirstByte` */
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
