import { HOUR_MS, SECOND_MS } from "#domain/units.ts";

/** An administrator's change reaches crawlers after at most this time. */
const MAX_AGE_SECONDS = HOUR_MS / SECOND_MS;

export function crawlerFileResponse(body: string, type: string): Response {
  return new Response(body, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": `public, max-age=${MAX_AGE_SECONDS}` },
  });
}
