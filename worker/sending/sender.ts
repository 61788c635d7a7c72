import type { KeyScope } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { newUploadToken, type Caller } from "../callers/caller.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { localizedError } from "../errors/translate-error.ts";
import { requireHuman } from "../limits/human-check.ts";
import { authenticate } from "../keys/authenticate.ts";
import { hashToken } from "../tokens.ts";
import { userAgentOf } from "../user-agent.ts";

/** A program that sends a file in one request. */
export interface Sender {
  caller: Caller;
  /** The owner of the program's key; null for the program of a visitor, who has no account. */
  user: CurrentUser | null;
  scopes: KeyScope[];
}

/**
 * Finds out who sends, and counts the start. @param now epoch milliseconds
 * @throws AppError KEY_MISSING with two lines that explain it, RATE_LIMITED, HUMAN_CHECK_NEEDED, and the errors of `authenticate`
 */
export async function requireSender(context: RequestContext, now: number): Promise<Sender> {
  const { services, request, enforceRateLimit } = context;
  const { anonymousUploads, origin } = services.settings;
  if (request.headers.has("authorization")) {
    const { user, key, caller } = await authenticate(services, request, "upload", now);
    await enforceRateLimit("startByKey", user.id);
    return { caller, user, scopes: key.scopes };
  }
  if (!anonymousUploads) {
    const lines = [
      `Send an API key: curl -T FILE -u :mayfly_… ${origin}/`,
      `Make one on your account page: ${origin}/account`,
    ];
    throw new AppError("KEY_MISSING", { message: lines.join("\n") });
  }
  await enforceRateLimit("anonymousUpload");
  await requireHuman(context);
  return { caller: await visitor(request), user: null, scopes: [] };
}

/**
 * The visitor behind a program without a key. The program keeps no cookie, so nobody gets the token whose hash is
 * stored.
 */
async function visitor(request: Request): Promise<Caller> {
  const tokenHash = await hashToken(newUploadToken());
  const ip = ipOf(request);
  const userAgent = userAgentOf(request.headers);
  return { kind: "visitor", plan: "free", tokenHash, ip, userAgent };
}

/** The person in whose name a link is mailed. @throws AppError UNAUTHORIZED for a visitor, KEY_SCOPE for the key */
export function requireMailer({ user, scopes }: Sender): CurrentUser {
  if (user === null) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  const scope: KeyScope = "files:write";
  if (!scopes.includes(scope)) throw localizedError("KEY_SCOPE", "keyLacks", { scope }, { scope });
  return user;
}
