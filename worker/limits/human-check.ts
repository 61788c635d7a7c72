import * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { logError } from "../log.ts";

const TIMEOUT_MS = 10 * SECOND_MS;
/** Turnstile's tokens are shorter (its documentation says 2,048 characters). */
const TOKEN_MAX_LENGTH = 2048;

const answer = z.object({ success: z.boolean() });

/**
 * Where the deployment uses Turnstile, checks the token that the page /human-check has given to a person's browser. A
 * token is good for one call.
 * @throws AppError HUMAN_CHECK_NEEDED without a good token, HUMAN_CHECK_UNAVAILABLE when Turnstile does not answer
 */
export async function requireHuman({ services, request }: RequestContext): Promise<void> {
  const { turnstile } = services.settings;
  if (turnstile === null) return;
  const token = request.headers.get(HEADER_NAMES.human) ?? "";
  if (token === "" || token.length > TOKEN_MAX_LENGTH) throw new AppError("HUMAN_CHECK_NEEDED");
  const ip = ipOf(request);
  let isHuman: boolean;
  try {
    const response = await fetch(turnstile.url, {
      method: "POST",
      body: new URLSearchParams({
        secret: turnstile.secretKey,
        response: token,
        ...(ip !== "unknown" && { remoteip: ip }),
      }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Turnstile answered ${response.status}`);
    isHuman = answer.parse(await response.json()).success;
  } catch (error) {
    logError("turnstile.failed", error);
    throw new AppError("HUMAN_CHECK_UNAVAILABLE");
  }
  if (!isHuman) throw new AppError("HUMAN_CHECK_NEEDED");
}
