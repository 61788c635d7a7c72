import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { SECOND_MS } from "#domain/units.ts";
import { VISITOR_TOKEN_TTL_MS } from "#domain/upload-lifetime.ts";
import {
  findUploader,
  newUploadToken,
  UPLOAD_TOKEN_COOKIE,
  uploadTokenOf,
  type Uploader,
} from "../callers/uploader.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson } from "./input.ts";

/** Sets or renews a visitor's token cookie, if visitors may upload. @throws AppError UNAUTHORIZED with `requiresAuth` */
export async function requireUploader(c: Context<AppEnv>): Promise<Uploader> {
  const token = uploadTokenOf(c.req.raw) ?? newUploadToken();
  const uploader = await findUploader(c.get("context"), token);
  if (!uploader) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  if (uploader.userId === null) setToken(c, token);
  return uploader;
}

/** For calls that begin an upload: a sender through a request has one call of their own. @throws as `requireUploader` */
export async function requireStarter(c: Context<AppEnv>): Promise<Uploader> {
  const uploader = await requireUploader(c);
  if (uploader.request !== null) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return uploader;
}

/** Reads the body in parallel with the uploader. The errors of `requireUploader` take precedence over the body's. */
export async function readFromUploader<Schema extends z.ZodMiniType>(
  c: Context<AppEnv>,
  schema: Schema,
  maxBytes?: number,
): Promise<{ uploader: Promise<Uploader>; request: z.infer<Schema> }> {
  const uploader = requireUploader(c);
  // Prevents an unhandled rejection while the body is being read; the caller still awaits the promise.
  uploader.catch(() => undefined);
  try {
    return { uploader, request: await readJson(c, schema, maxBytes) };
  } catch (error) {
    await uploader;
    throw error;
  }
}

function setToken(c: Context<AppEnv>, token: string): void {
  setCookie(c, UPLOAD_TOKEN_COOKIE, token, {
    httpOnly: true,
    sameSite: "Lax",
    secure: c.get("context").services.settings.origin.startsWith("https:"),
    path: "/",
    maxAge: VISITOR_TOKEN_TTL_MS / SECOND_MS,
  });
}
