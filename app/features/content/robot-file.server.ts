import { HOUR_MS, SECOND_MS } from "#domain/units.ts";

/** Robots come again and again; an administrator's change may take this long to reach them. */
const MAX_AGE_SECONDS = HOUR_MS / SECOND_MS;

/** The answer that a file for robots is given in. */
export function discoveryAnswer(body: string, type: string): Response {
  return new Response(body, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": `public, max-age=${MAX_AGE_SECONDS}` },
  });
}
