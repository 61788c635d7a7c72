import { HOUR_MS, SECOND_MS } from "#domain/units.ts";

/** The longest time until crawlers see an administrator's change. */
const MAX_AGE_SECONDS = HOUR_MS / SECOND_MS;

export function crawlerFileResponse(body: string, type: string): Response {
  return new Response(body, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": `public, max-age=${MAX_AGE_SECONDS}` },
  });
}
