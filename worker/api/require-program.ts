import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** Refuses web pages: browsers send one of these headers. @param message for whoever writes such a page @throws AppError CROSS_SITE */
export function requireProgram(c: Context<AppEnv>, message: string): void {
  if (c.req.header("origin") === undefined && c.req.header("sec-fetch-site") === undefined) return;
  throw new AppError("CROSS_SITE", { message });
}
