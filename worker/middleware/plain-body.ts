import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

export const plainBody = createMiddleware<AppEnv>(async (c, next) => {
  requirePlainBody(c);
  await next();
});

/**
 * Refuses a body that holds only a part of a file (RFC 9110, section 14.5) or an encoded file (section 8.4), because
 * bodies are stored unchanged, as whole files. @throws AppError BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE
 */
export function requirePlainBody(c: Context<AppEnv>): void {
  if (!METHODS_WITH_BODY.has(c.req.method)) return;
  if (c.req.header("content-range") !== undefined) {
    const message =
      "Content-Range says that this is a part of a file. Send the whole file, or send it with tus, which goes on after a break.";
    throw new AppError("BAD_REQUEST", { message });
  }
  const coding = c.req.header("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  const message = "Content-Encoding is not decoded here: files are stored as they come. Send the bytes without it.";
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message, acceptEncoding: "identity" });
}
