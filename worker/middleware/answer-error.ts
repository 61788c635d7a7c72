import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import type { AppEnv } from "../app-env.ts";
import { databaseRefusal } from "../db/retries.ts";
import { translateError } from "../errors/translate-error.ts";
import { logError, requestLogOf } from "../log.ts";

/**
 * Answers an error with `{message, code}` under `/api` and `/ws`, and with text elsewhere. The answer to an unexpected
 * error tells only that the database is overloaded or full, or else the request's id.
 * @param asJson whether the caller has asked for JSON
 */
export function answerError(error: unknown, c: Context<AppEnv>, asJson = isApi(c)): Response {
  const expected = error instanceof AppError ? error : databaseRefusal();
  if (expected === null) logError("request.failed", error);
  const shown = expected ?? new AppError("INTERNAL", { requestId: requestLogOf(c.req.raw).id });
  const message = translateError(shown, requestLocale(c.req.raw.headers));
  const headers = new Headers({ "cache-control": "no-store" });
  const { retryAfterSeconds, acceptEncoding } = shown.details;
  if (typeof retryAfterSeconds === "number") headers.set("retry-after", String(retryAfterSeconds));
  // An answer 415 names the accepted encodings (RFC 9110, section 12.5.3).
  if (typeof acceptEncoding === "string") headers.set("accept-encoding", acceptEncoding);
  const init = { status: shown.status, headers };
  if (asJson) return Response.json({ ...shown.toJSON(), message }, init);
  return new Response(expected ? message : `${message}\nRequest ${requestLogOf(c.req.raw).id}`, init);
}

function isApi(c: Context<AppEnv>): boolean {
  return /^\/(api|ws)(\/|$)/.test(c.req.path);
}
