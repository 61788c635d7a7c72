import { and, eq, gt, isNotNull, isNull, notExists, or, sql, type SQL } from "drizzle-orm";
import { NEW_ACCOUNT_MS } from "#domain/moderation/risky-kinds.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { isFree, PLAN_IDS, type PlanId } from "#domain/plans.ts";
import type { VerificationClaims } from "../tokens.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import { IS_NOT_THE_LAST_ADMIN } from "./admin-users.ts";
import type { Database } from "./client.ts";
import { forgetEmailChanges, isReserved, noteEmailUse } from "./email-changes.ts";
import { hasLink, isUploading } from "./files.ts";
import { deleteResetLinks } from "./passwords.ts";
import { retryIdempotent, isUniqueViolation } from "./retries.ts";
import {
  accounts,
  adminSessions,
  apiKeys,
  deviceCodes,
  files,
  passkeys,
  sessions,
  challenges,
  users,
  verifications,
  webhooks,
} from "./schema.ts";

/**
 * Whether an account has the address, may still take it back as its former address, or was suspended.
 * @param now epoch milliseconds
 */
export async function emailExists(db: Database, email: string, now: number): Promise<boolean> {
  const hasOwner = sql`exists (select 1 from ${users} where ${users.email} = ${email})`;
  return isTrue(db, sql`${hasOwner} or ${await isReserved(email, "", now)}`);
}

async function isTrue(db: Database, condition: SQL): Promise<boolean> {
  const row = await db.get<{ holds: number }>(sql`select (${condition}) as holds`);
  return row.holds === 1;
}

export async function findEmail(db: Database, id: string): Promise<string | null> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id)).limit(1);
  return row?.email ?? null;
}

/** Whether an account is neither new nor on a free plan, so that recipients are not warned of its files. */
export async function isTrusted(db: Database, id: string, now: number): Promise<boolean> {
  const columns = { id: users.id, planType: users.planType, createdAt: users.createdAt };
  const [row] = await db.select(columns).from(users).where(eq(users.id, id)).limit(1);
  return row !== undefined && !isFree(planOfRow(row)) && row.createdAt.getTime() <= now - NEW_ACCOUNT_MS;
}

/** The address of an account, and the language of its mails. @returns null for an unknown or deleted account */
export async function findMailReader(db: Database, id: string): Promise<{ email: string; locale: Locale } | null> {
  const live = and(eq(users.id, id), isNull(users.deletedAt));
  const [row] = await db.select({ email: users.email, locale: users.locale }).from(users).where(live).limit(1);
  return row ? { email: row.email, locale: row.locale ?? LOCALES[0] } : null;
}

/** @returns null for an unknown account, and for an account that is being deleted */
export async function findLiveEmail(db: Database, id: string): Promise<string | null> {
  const live = and(eq(users.id, id), isNull(users.deletedAt));
  const [row] = await db.select({ email: users.email }).from(users).where(live).limit(1);
  return row?.email ?? null;
}

/** Stores the hash of a new verification token, which invalidates earlier ones. */
export async function setVerificationToken(db: Database, id: string, hash: string, expiresAt: number): Promise<void> {
  await db
    .update(users)
    .set({ verificationToken: hash, verificationTokenExpiry: new Date(expiresAt) })
    .where(eq(users.id, id));
}

/**
 * Proves or changes an address, and deletes reset links that were mailed to the former address.
 * @returns "taken" if another user has the new address; null if the token is unknown, used or expired, or the owner's
 * address has changed since the token was created
 */
export async function verifyEmailByToken(
  db: Database,
  hash: string,
  claims: VerificationClaims,
  now: number,
): Promise<{ email: string; formerEmail: string } | "taken" | null> {
  const isValidToken = and(
    eq(users.verificationToken, hash),
    gt(users.verificationTokenExpiry, new Date(now)),
    eq(users.email, claims.email),
  );
  const [owner] = await db.select({ id: users.id }).from(users).where(isValidToken).limit(1);
  if (!owner) return null;
  const email = claims.newEmail ?? claims.email;
  const reserved = await isReserved(email, owner.id, now);
  const verify = db
    .update(users)
    .set({ email, isVerified: true, verificationToken: null, verificationTokenExpiry: null })
    .where(and(eq(users.id, owner.id), isValidToken, sql`not ${reserved}`))
    .returning({ id: users.id });
  try {
    const [verified] =
      email === claims.email
        ? await verify
        : (
            await db.batch([
              verify,
              ...noteEmailUse(db, owner.id, claims.email, now),
              deleteResetLinks(db, owner.id, email),
            ])
          )[0];
    if (verified) return { email, formerEmail: claims.email };
    return (await isTrue(db, reserved)) ? "taken" : null;
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

/**
 * Changes an address without proof of the new one, and voids mailed links.
 * @returns false if `newEmail` (in lower case) is taken, or `email` is no longer the address
 */
export async function changeEmailWithoutVerification(
  db: Database,
  id: string,
  email: string,
  newEmail: string,
  now: number,
): Promise<boolean> {
  const isFree = sql`not exists (select 1 from ${users} as other where other.email = ${newEmail})`;
  const isOpen = sql`not ${await isReserved(newEmail, id, now)}`;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ email: newEmail, isAddressGiven: false, verificationToken: null, verificationTokenExpiry: null })
      .where(and(eq(users.id, id), eq(users.email, email), isFree, isOpen)),
    ...noteEmailUse(db, id, email, now),
    deleteResetLinks(db, id, newEmail),
  ]);
  return changed.meta.changes === 1;
}

/**
 * Marks a user as deleted. An administrator (`entry`) cannot mark the last administrator.
 * @returns whether the user is marked
 */
export async function beginUserDeletion(db: Database, id: string, now: number, entry?: AuditEntry): Promise<boolean> {
  const at = new Date(now);
  const isDeletable = entry ? or(eq(users.isAdmin, false), IS_NOT_THE_LAST_ADMIN) : undefined;
  const hasBegun = sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.deletedAt} is not null)`;
  await retryIdempotent(() =>
    db.batch([
      db
        .update(users)
        .set({ deletedAt: at, email: `deleted:${id}`, isAdmin: false, verificationToken: null })
        .where(and(eq(users.id, id), isNull(users.deletedAt), isDeletable)),
      ...(entry ? [auditEntryInsert(db, entry)] : []),
      db
        .update(files)
        .set({ deletedAt: at, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` })
        .where(and(eq(files.userId, id), sql`${files.status} = 'ready'`, isNull(files.deletedAt), hasLink, hasBegun)),
      db
        .update(files)
        .set({ deletedAt: at, expiresAt: sql`min(coalesce(${files.expiresAt}, ${now}), ${now})` })
        .where(
          and(
            eq(files.userId, id),
            isNotNull(files.fileRequestId),
            sql`${files.status} = 'ready'`,
            isNull(files.deletedAt),
            hasBegun,
          ),
        ),
      // Unfinished uploads get `deletedAt` alone, because they have no expiry yet. `deletedAt` is needed because the
      // bytes that have arrived can already be read.
      db
        .update(files)
        .set({ deletedAt: at })
        .where(and(eq(files.userId, id), isUploading, isNull(files.deletedAt), hasBegun)),
      db.delete(apiKeys).where(and(eq(apiKeys.userId, id), hasBegun)),
      db.delete(passkeys).where(and(eq(passkeys.userId, id), hasBegun)),
      db.delete(deviceCodes).where(and(eq(deviceCodes.userId, id), hasBegun)),
      db.delete(webhooks).where(and(eq(webhooks.userId, id), hasBegun)),
      db.delete(sessions).where(and(eq(sessions.userId, id), hasBegun)),
      db.delete(adminSessions).where(and(eq(adminSessions.userId, id), hasBegun)),
      db.delete(accounts).where(and(eq(accounts.userId, id), hasBegun)),
      db.delete(verifications).where(and(eq(verifications.value, id), hasBegun)),
      db.delete(challenges).where(and(eq(challenges.userId, id), hasBegun)),
      forgetEmailChanges(db, id, hasBegun),
    ]),
  );
  return (await db.$count(users, and(eq(users.id, id), isNotNull(users.deletedAt)))) > 0;
}

/** Lists users in random order, so that users who cannot be removed yet do not block the others. */
export async function listUsersInDeletion(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(isNotNull(users.deletedAt))
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Deletes the rows of a deleted user, unless the user still has a stored object or an unfinished upload. Files that are
 * kept for the authorities stay, without an owner.
 */
export async function removeUserRows(db: Database, id: string): Promise<boolean> {
  const stored = db
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        eq(files.userId, id),
        sql`(${files.status} = 'uploading' or (${files.status} = 'ready' and ${files.s3DeletedAt} is null
          and ${files.keptAt} is null))`,
      ),
    );
  const removable = and(eq(users.id, id), isNotNull(users.deletedAt), notExists(stored));
  const [, removed] = await db.batch([
    db
      .delete(files)
      .where(and(eq(files.userId, id), isNull(files.keptAt), sql`exists (select 1 from ${users} where ${removable})`)),
    db.delete(users).where(removable),
  ]);
  // Cascaded deletions count as changes, too.
  return removed.meta.changes > 0;
}

/** @param row a row of `users` @throws Error for a plan that this release does not know */
export function planOfRow({ id, planType }: { id: string; planType: string }): PlanId {
  const plan = PLAN_IDS.find((candidate) => candidate === planType);
  if (!plan) throw new Error(`user ${id} has the unknown plan ${planType}`);
  return plan;
}
