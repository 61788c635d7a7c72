import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import { AppError } from "#domain/errors.ts";
import { SECOND_MS } from "#domain/units.ts";
import { VISITOR_TOKEN_TTL_MS } from "#domain/upload-lifetime.ts";
import type { AppEnv } from "../app-env.ts";
import {
  findCaller,
  newUploadToken,
  UPLOAD_TOKEN_COOKIE,
  uploadTokenOf,
  type Caller,
  type FileOwner,
} from "../callers/caller.ts";

/** Sets or renews the cookie of a visitor, if visitors may upload. @throws AppError UNAUTHORIZED with `requiresAuth` */
export async function requireCaller(c: Context<AppEnv>): Promise<Caller> {
  const token = uploadTokenOf(c.req.raw) ?? newUploadToken();
  const caller = await findCaller(c.get("context"), token);
  if (!caller) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  if (caller.kind === "visitor") setToken(c, token);
  return caller;
}

/** Refuses senders through a request, who have a call of their own to begin an upload. @throws as `requireCaller` */
export async function requireStarter(c: Context<AppEnv>): Promise<Caller> {
  const caller = await requireCaller(c);
  if (caller.kind === "sender") throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return caller;
}

/** A person, or a visitor with an upload token. @throws AppError UNAUTHORIZED with `requiresAuth` */
export async function requireOwner(c: Context<AppEnv>): Promise<FileOwner> {
  const owner = await findCaller(c.get("context"));
  // A file that was sent through a request belongs to the request's owner, not to its sender.
  if (!owner || owner.kind === "sender") throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return owner;
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
