import type { Context } from "hono";
import { AppError, ERRORS } from "#domain/errors.ts";
import type { ApiEnv } from "../api/env.ts";
import { logFault, traceOf } from "../log.ts";

/**
 * The one place that turns what was thrown into an answer: `{message, code}` with the table's status.
 * A fault of ours says nothing of itself but the request id, which the log has too.
 */
export function answerError(error: unknown, c: Context<ApiEnv>): Response {
  if (error instanceof AppError) {
    const headers = new Headers({ "cache-control": "no-store" });
    const { retryAfterSeconds } = error.details;
    if (typeof retryAfterSeconds === "number") headers.set("retry-after", String(retryAfterSeconds));
    return Response.json(error.toJSON(), { status: error.status, headers });
  }
  logFault("request.failed", error);
  const requestId = traceOf(c.req.raw).id;
  const { status, message } = ERRORS.INTERNAL;
  return Response.json({ message, code: "INTERNAL", requestId }, { status, headers: { "cache-control": "no-store" } });
}
