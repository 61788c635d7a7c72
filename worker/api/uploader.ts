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

/** Holds a visitor's upload token: signing, completing and cancelling need it (decisions, Who may upload). */
const TOKEN_COOKIE = "mayfly.upload_token";
const TOKEN_BYTES = 32;
/** Longer than an unfinished upload lives. */
const TOKEN_TTL_SECONDS = (2 * DAY_MS) / SECOND_MS;

/**
 * Who uploads. Where visitors may, one without a token is given one.
 * @throws AppError UNAUTHORIZED with `requiresAuth`
 */
export async function requireUploader(c: Context<AppEnv>): Promise<Uploader> {
  const context = c.get("context");
  const uploader = (await findUploader(context, uploadTokenOf(c))) ?? (await findUploader(context, giveToken(c)));
  if (!uploader) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return uploader;
}

/**
 * Reads a body while it is found out who sends it: what the body names can be looked up at the same time.
 * @throws AppError as `requireUploader`, before anything that is wrong with the body
 */
export async function readFromUploader<Schema extends z.ZodMiniType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<{ uploader: Promise<Uploader>; request: z.infer<Schema> }> {
  const uploader = requireUploader(c);
  // Whoever waits for it hears of a refusal; nobody does while the body is being read.
  uploader.catch(() => undefined);
  try {
    return { uploader, request: await readJson(c, schema) };
  } catch (error) {
    await uploader;
    throw error;
  }
}

/** Who asks, as an uploader; null for a visitor where visitors may not upload. */
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

/** The token that a request carries, or null. */
export function uploadTokenOf(c: Context<AppEnv>): string | null {
  return getCookie(c, TOKEN_COOKIE) ?? null;
}

function giveToken(c: Context<AppEnv>): string | null {
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
