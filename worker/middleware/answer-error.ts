import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { localeIn } from "#domain/locale.ts";
import type { ApiEnv } from "../api/env.ts";
import { logError, requestLogOf } from "../log.ts";
import { translateError } from "../errors/translate-error.ts";

/**
 * The one place that turns what was thrown into an answer: `{message, code}` with the table's status, in the
 * caller's language.
 * A fault of ours says nothing of itself but the request id, which the log has too.
 */
export function answerError(error: unknown, c: Context<ApiEnv>): Response {
  const locale = localeIn(c.req.raw.headers);
  if (error instanceof AppError) {
    const headers = new Headers({ "cache-control": "no-store" });
    const { retryAfterSeconds } = error.details;
    if (typeof retryAfterSeconds === "number") headers.set("retry-after", String(retryAfterSeconds));
    return Response.json(
      { ...error.toJSON(), message: translateError(error, locale) },
      { status: error.status, headers },
    );
  }
  logError("request.failed", error);
  const fault = new AppError("INTERNAL", { requestId: requestLogOf(c.req.raw).id });
  const body = { ...fault.toJSON(), message: translateError(fault, locale) };
  return Response.json(body, { status: fault.status, headers: { "cache-control": "no-store" } });
}
