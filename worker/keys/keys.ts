import {
  createKey,
  hasRunOut,
  KEY_CALLS_PER_MINUTE,
  keyRemindAt,
  lastFourOf,
  type KeySource,
} from "#domain/api-keys.ts";
import type { AppError } from "#domain/errors.ts";
import { endsAt } from "#domain/expiry.ts";
import { shardOfRowId } from "#domain/ids.ts";
import { limitFor } from "#domain/plans.ts";
import type { ChangeKeyRequest, CurrentUser, ListedKey, MadeKey, MakeKeyRequest } from "#domain/wire.ts";
import { endUpload } from "../callers/sessions.ts";
import {
  insertKey,
  listKeysOf,
  revokeKeyOf,
  updateKey,
  type ApiKeyRow,
  type NewApiKey,
  listKeysToRemind,
  saveReminder,
} from "../db/api-keys.ts";
import { listUnfinishedFiles } from "../db/resumable-uploads.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError } from "../log.ts";
import { keyMadeMessage, keyRunsOutMessage } from "../mail/messages/keys.tsx";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { toIso } from "../urls.ts";
import type { Program } from "./authenticate.ts";

const KEYS_PER_RUN = 50;

/** Lists a person's keys, newest first, without revoked keys. @param now epoch milliseconds */
export async function listKeys({ db }: Services, user: CurrentUser, now: number): Promise<ListedKey[]> {
  return (await listKeysOf(db, user.id)).map((key) => toListedKey(key, now));
}

/**
 * Makes a key and mails the key's owner. @param now epoch milliseconds @returns the key, which is not stored and cannot
 * be shown again @throws AppError PLAN_LIMIT_EXCEEDED with `planLimitExceeded` if the plan allows no further key
 */
export async function makeKey(
  services: Services,
  user: CurrentUser,
  request: MakeKeyRequest,
  now: number,
): Promise<MadeKey> {
  const { key, row, maxKeys, mail } = await prepareKey(services, user, request, "page", now);
  if (!(await insertKey(services.db, row, maxKeys, mail, now))) throw tooManyKeys(maxKeys);
  mail.send();
  const unused = { revokedAt: null, lastUsedAt: null, lastUsedAddress: null, monthUsed: 0, monthStart: null };
  return { key, ...toListedKey({ ...row, ...unused }, now) };
}

/**
 * Makes a key, the key's row and the mail to the key's owner, and stores none of these.
 * @param now epoch milliseconds
 */
export async function prepareKey(
  { outbox, settings }: Services,
  { id: userId, email, planType }: Pick<CurrentUser, "id" | "email" | "planType">,
  { name, scopes, expiresIn, limits, browserUse }: MakeKeyRequest,
  source: KeySource,
  now: number,
) {
  const key = createKey(shardOfRowId(userId));
  const row: NewApiKey = {
    id: crypto.randomUUID(),
    userId,
    name,
    keyHash: await hashToken(key),
    lastFour: lastFourOf(key),
    scopes: [...new Set(scopes)],
    createdAt: new Date(now),
    expiresAt: toDate(endsAt(expiresIn, now)),
    remindAt: toDate(keyRemindAt(expiresIn, now)),
    callsPerMinute: limits.callsPerMinute ?? KEY_CALLS_PER_MINUTE,
    monthBytes: limits.monthBytes ?? null,
    largestFileBytes: limits.largestFileBytes ?? null,
    browserUse,
    source,
  };
  const mail = outbox.prepare(keyMadeMessage(email, row, settings.origin));
  return { key, row, maxKeys: limitFor(planType).apiKeys, mail };
}

export function tooManyKeys(maxKeys: number): AppError {
  return localizedError("PLAN_LIMIT_EXCEEDED", "tooManyKeys", { count: maxKeys }, { planLimitExceeded: true });
}

/** Changes a key, and leaves absent fields unchanged. @throws AppError NOT_FOUND, also for another person's key */
export async function changeKey(
  { db }: Services,
  user: CurrentUser,
  id: string,
  { name, limits = {} }: ChangeKeyRequest,
  now: number,
): Promise<ListedKey> {
  const change = Object.entries({ name, ...limits }).filter(([, value]) => value !== undefined);
  const changed = await updateKey(db, user.id, id, Object.fromEntries(change));
  if (!changed) throw keyNotFound();
  return toListedKey(changed, now);
}

/** Ends a key at once, and after that the key's unfinished uploads. Idempotent. @throws AppError NOT_FOUND */
export async function revokeKey(services: Services, user: CurrentUser, id: string, now: number): Promise<void> {
  const { db } = services;
  if (!(await revokeKeyOf(db, user.id, id, now))) throw keyNotFound();
  try {
    // The database reserves nothing for a revoked key, so no upload can start after the list is read.
    const unfinished = await listUnfinishedFiles(db, user.id, id);
    const ended = await Promise.allSettled(unfinished.map((file) => endUpload(services, file)));
    for (const end of ended) if (end.status === "rejected") throw end.reason;
  } catch (error) {
    // The uploads that are left end as abandoned, by the alarms of their sessions.
    logError("key.uploads_left", error, { keyId: id });
  }
}

/**
 * Signs a program out by revoking its key. A key that was made on the account page may be in several programs, so no
 * program may revoke it.
 * @throws AppError FORBIDDEN for a key of the account page
 */
export async function endOwnKey(services: Services, { user, key }: Program, now: number): Promise<void> {
  if (key.source !== "cli") throw localizedError("FORBIDDEN", "keyOfPage", {});
  await revokeKey(services, user, key.id, now);
}

function toListedKey(key: ApiKeyRow, now: number): ListedKey {
  const expiresAtMs = key.expiresAt?.getTime() ?? null;
  return {
    id: key.id,
    name: key.name,
    lastFour: key.lastFour,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    expiresAt: toIso(expiresAtMs),
    hasRunOut: hasRunOut(expiresAtMs, now),
    lastUsedAt: toIso(key.lastUsedAt?.getTime() ?? null),
    lastUsedAddress: key.lastUsedAddress,
    limits: {
      callsPerMinute: key.callsPerMinute,
      monthBytes: key.monthBytes,
      largestFileBytes: key.largestFileBytes,
    },
    browserUse: key.browserUse,
    source: key.source,
  };
}

function toDate(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

function keyNotFound(): AppError {
  return localizedError("NOT_FOUND", "keyNotFound", {});
}

/** Mails the owners of keys that expire within a week, once for each key. @returns the number of mails */
export async function remindOfKeys({ db, outbox, settings }: Services, now: number): Promise<number> {
  const due = await listKeysToRemind(db, now, KEYS_PER_RUN);
  let mails = 0;
  for (const { key, email } of due) {
    const mail = outbox.prepare(keyRunsOutMessage(email, key, settings.origin));
    if (!(await saveReminder(db, key.id, mail, now))) continue;
    mail.send();
    mails += 1;
  }
  return mails;
}
