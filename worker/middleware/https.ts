import { AppError } from "#domain/errors.ts";
import { localeIn } from "#domain/locale.ts";
import { translateError } from "../errors/translate-error.ts";
import type { Settings } from "../settings.ts";

/**
 * Answers a request over plain HTTP where the site's own address is https: links and passwords would be readable on
 * their way. GET and HEAD are led to the same path of the site's own address; everything else is refused unread.
 * @param isForApi whether the caller expects JSON
 * @returns null for a request that may be answered
 */
export function refusePlainHttp(request: Request, { origin }: Settings, isForApi: boolean): Response | null {
  const { protocol, pathname, search } = new URL(request.url);
  if (protocol !== "http:" || !origin.startsWith("https:")) return null;
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, { status: 308, headers: { location: `${origin}${pathname}${search}` } });
  }
  const error = new AppError("HTTPS_REQUIRED");
  const message = translateError(error, localeIn(request.headers));
  return isForApi
    ? Response.json({ ...error.toJSON(), message }, { status: error.status })
    : new Response(message, { status: error.status });
}
