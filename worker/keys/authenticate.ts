import * as z from "zod/mini";
import { hasRunOut, isKey, KEY_SCOPES, type KeyScope } from "#domain/api-keys.ts";
import { AppError } from "#domain/errors.ts";
import { shortenIp } from "#domain/ip-address.ts";
import { limitFor, type PlanLimits } from "#domain/plans.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { findCurrentBilling } from "../billing/months.ts";
import type { ByKey, Caller } from "../callers/caller.ts";
import { ipOf } from "../context.ts";
import { findKeyUse } from "../db/api-key-months.ts";
import { findPresentedKey, noteKeyUse, type PresentedKey } from "../db/api-keys.ts";
import type { BillingRow } from "../db/billing.ts";
import { planOfRow } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { enforceRateLimit, throwIfRemembered } from "../limits/enforce-rate-limit.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { userAgentOf } from "../user-agent.ts";

/** The minimum time between two updates of a key's `lastUsedAt`, so that few calls write to D1. */
const USE_NOTED_EVERY_MS = 10 * MINUTE_MS;

/** A program that calls with an API key, and the key's owner. */
export interface Program {
  user: CurrentUser;
  key: Pick<
    PresentedKey,
    "id" | "name" | "lastFour" | "expiresAt" | "callsPerMinute" | "monthBytes" | "largestFileBytes" | "source"
  > & { scopes: KeyScope[] };
  /** The key as a caller. A key with the scope `upload` may upload, and owns the uploads that it has started. */
  caller: Extract<Caller, ByKey>;
}

/**
 * @param scope the scope that the call needs; "any" if every valid key may make the call
 * @param now epoch milliseconds
 * @throws AppError KEY_MISSING, KEY_INVALID, ACCOUNT_SUSPENDED, EMAIL_UNVERIFIED, KEY_IN_BROWSER, KEY_SCOPE, RATE_LIMITED
 */
export async function authenticate(
  services: Services,
  request: Request,
  scope: KeyScope | "any",
  now: number,
): Promise<Program> {
  const key = keyIn(request.headers);
  if (key === null) throw new AppError("KEY_MISSING");
  const ip = ipOf(request);
  // A key with a wrong checksum is no valid key, so it is neither looked up nor counted as a guess.
  if (!isKey(key)) throw new AppError("KEY_INVALID");
  throwIfRemembered(services, "refusedKey", { ip });
  const found = await findPresentedKey(services.db, await hashToken(key));
  if (!found || hasEnded(found, now)) {
    await enforceRateLimit(services, "refusedKey", { ip });
    throw new AppError("KEY_INVALID");
  }
  if (found.suspendedAt !== null) throw new AppError("ACCOUNT_SUSPENDED");
  if (services.settings.emailVerification === "required" && found.isVerified !== 1) {
    throw new AppError("EMAIL_UNVERIFIED");
  }
  if (request.headers.has("origin") && found.browserUse !== 1) throw new AppError("KEY_IN_BROWSER");
  const scopes = scopesOf(found);
  if (scope !== "any" && !scopes.includes(scope)) throw localizedError("KEY_SCOPE", "keyLacks", { scope }, { scope });
  const { id, callsPerMinute } = found;
  await enforceRateLimit(services, "v1", { ip, account: found.userId, key: { id, callsPerMinute } });
  noteUse(services, found, ip, now);
  return callerOf(found, scopes, request);
}

/** Reads `Authorization: Bearer KEY`, or Basic with the key as password, as `curl -u :KEY` sends it. */
function keyIn(headers: Headers): string | null {
  const [, scheme = "", value = ""] = /^(Bearer|Basic) +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (scheme === "") return null;
  if (scheme.toLowerCase() === "bearer") return value;
  try {
    const pair = atob(value);
    // A shell whose variable is not set sends an empty password.
    return pair.slice(pair.indexOf(":") + 1) || null;
  } catch {
    return "";
  }
}

function hasEnded({ revokedAt, expiresAt, deletedAt }: PresentedKey, now: number): boolean {
  return revokedAt !== null || deletedAt !== null || hasRunOut(expiresAt, now);
}

/** Drops scopes that this release does not know. */
function scopesOf({ scopes }: PresentedKey): KeyScope[] {
  const stored = z.array(z.string()).parse(JSON.parse(scopes));
  return KEY_SCOPES.filter((scope) => stored.includes(scope));
}

/** Saves the time of a key's use, after the answer is sent. */
function noteUse({ db, waitUntil }: Services, key: PresentedKey, ip: string, now: number): void {
  const before = now - USE_NOTED_EVERY_MS;
  if (key.lastUsedAt !== null && key.lastUsedAt > before) return;
  const note = noteKeyUse(db, key.id, shortenIp(ip), { now, before });
  waitUntil(note.catch((error: unknown) => logError("key.use_not_noted", error, { keyId: key.id })));
}

function callerOf(found: PresentedKey, scopes: KeyScope[], request: Request): Program {
  const plan = planOfRow({ id: found.userId, planType: found.planType });
  const { id, name, lastFour, expiresAt, callsPerMinute, monthBytes, largestFileBytes, source, userId } = found;
  return {
    user: { id: userId, email: found.email, isVerified: found.isVerified === 1, planType: plan },
    key: { id, name, lastFour, expiresAt, callsPerMinute, monthBytes, largestFileBytes, source, scopes },
    caller: {
      kind: "key",
      userId,
      plan,
      key: { id, largestFileBytes },
      ip: ipOf(request),
      userAgent: userAgentOf(request.headers),
    },
  };
}

/**
 * The plan and the billing month of a key's owner, and what the key has used of the month.
 * @throws AppError KEY_INVALID for a deleted account
 */
export async function describeProgram(
  services: Services,
  { user, key }: Program,
  now: number,
): Promise<{ limits: PlanLimits; month: BillingRow; monthUsed: number }> {
  const month = await findCurrentBilling(services, user.id, now);
  if (!month) throw new AppError("KEY_INVALID");
  return { limits: limitFor(month.planType), month, monthUsed: await findKeyUse(services.db, key.id) };
}
