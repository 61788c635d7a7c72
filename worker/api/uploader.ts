import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { DAY_MS, SECOND_MS } from "#domain/units.ts";
import { hashToken } from "../accounts/tokens.ts";
import { addressOf, type RequestContext } from "../context.ts";
import type { Uploader } from "../uploads/uploader.ts";
import { userAgentOf } from "../user-agent.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson } from "./input.ts";

/** A visitor's upload token (decision 011). */
const TOKEN_COOKIE = "mayfly.upload_token";
const TOKEN_BYTES = 32;
/** Must exceed the lifetime of an unfinished upload. */
const TOKEN_TTL_SECONDS = (2 * DAY_MS) / SECOND_MS;

/** Sets a visitor's missing token cookie, if visitors may upload. @throws AppError UNAUTHORIZED with `requiresAuth` */
export async function requireUploader(c: Context<AppEnv>): Promise<Uploader> {
  const context = c.get("context");
  const uploader = (await findUploader(context, uploadTokenOf(c))) ?? (await findUploader(context, issueToken(c)));
  if (!uploader) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
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

/** @returns null for a visitor without a token, or if visitors may not upload */
export async function findUploader(
  { currentUser, request, services }: RequestContext,
  token: string | null,
): Promise<Uploader | null> {
  const caller = { address: addressOf(request), userAgent: userAgentOf(request.headers) };
  const user = await currentUser();
  if (user) return { ...caller, userId: user.id, plan: user.planType, tokenHash: null };
  if (!services.settings.anonymousUploads || token === null) return null;
  return { ...caller, userId: null, plan: "free", tokenHash: await hashToken(token) };
}

export function uploadTokenOf(c: Context<AppEnv>): string | null {
  return getCookie(c, TOKEN_COOKIE) ?? null;
}

function issueToken(c: Context<AppEnv>): string | null {
  const { settings } = c.get("context").services;
  if (!settings.anonymousUploads) return null;
  const token = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))));
  setCookie(c, TOKEN_COOKIE, token, {
    httpOnly: true,
    sameSite: "Lax",
    secure: settings.origin.startsWith("https:"),
    path: "/",
    maxAge: TOKEN_TTL_SECONDS,
  });
  return token;
}
