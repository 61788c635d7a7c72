import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import { TUS_MISMATCH_STATUS, TUS_VERSION } from "#domain/tus.ts";
import type { AppEnv } from "../app-env.ts";
import { answerError } from "./answer-error.ts";

/** What tus asks of every answer, and refuses other versions. OPTIONS comes before a client knows the version. */
export const tusHeaders = createMiddleware<AppEnv>(async (c, next) => {
  const isSpoken = c.req.method === "OPTIONS" || c.req.header("tus-resumable") === TUS_VERSION;
  if (isSpoken) await next();
  else c.res = answerError(new AppError("TUS_VERSION_UNKNOWN"), c);
  if (c.error instanceof AppError && c.error.code === "CHECKSUM_MISMATCH") {
    c.res = new Response(c.res.body, { status: TUS_MISMATCH_STATUS, headers: c.res.headers });
  }
  c.header("tus-resumable", TUS_VERSION);
  if (!isSpoken) c.header("tus-version", TUS_VERSION);
});
