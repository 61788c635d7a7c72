import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SignInMethod } from "#domain/sign-in.ts";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { accounts, devices, passkeys, secondFactors, sessions, challenges, users } from "./schema.ts";
import type { WaitingKind } from "./waiting-sign-ins.ts";
import { hasAccessRevision } from "./ways-in.ts";

export interface PasswordRow {
  userId: string;
  /** The password's hash in better-auth's format; null for an account without a password. */
  hash: string | null;
  accessRevision: number;
  isAdmin: boolean;
  hasSecondFactor: boolean;
  hasPasskey: boolean;
}

/** @param owner the account's id or address, which must be in lower case */
export async function findPassword(
  db: Database,
  owner: { email: string } | { id: string },
): Promise<PasswordRow | null> {
  const [row] = await db
    .select({
      userId: users.id,
      hash: accounts.password,
      accessRevision: users.accessRevision,
      isAdmin: users.isAdmin,
      factorSince: secondFactors.confirmedAt,
      hasPasskey: sql<number>`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`,
    })
    .from(users)
    .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, "credential")))
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where("id" in owner ? eq(users.id, owner.id) : eq(users.email, owner.email))
    .limit(1);
  if (!row) return null;
  const { factorSince, hasPasskey, ...password } = row;
  return { ...password, hasSecondFactor: factorSince !== null, hasPasskey: hasPasskey === 1 };
}

/** The columns that a sign-in checks. Times are epoch milliseconds, flags 0 or 1. */
export interface SignInAccount {
  id: string;
  email: string;
  isVerified: number;
  planType: string;
  createdAt: number;
  deletedAt: number | null;
  suspendedAt: number | null;
  hasSecondFactor: number;
  hasPasskey: number;
  hasRecoveryCode: number;
  /** The row of this browser in `devices`; null if the account has not seen the browser. */
  deviceId: string | null;
  trustedUntil: number | null;
}

const ACCOUNT = `
  select users.id as id, users.email as email, users.is_verified as isVerified, users.plan_type as planType,
    users.created_at as createdAt, users.deleted_at as deletedAt, users.suspended_at as suspendedAt,
    second_factors.confirmed_at is not null as hasSecondFactor,
    exists (select 1 from passkeys where passkeys.user_id = users.id) as hasPasskey,
    exists (select 1 from recovery_codes where recovery_codes.user_id = users.id and used_at is null) as hasRecoveryCode,
    devices.id as deviceId, devices.trusted_until as trustedUntil
  from users
    left join second_factors on second_factors.user_id = users.id
    left join devices on devices.user_id = users.id and devices.token_hash = ?2
  where users.id = ?1 limit 1`;

/** @param deviceHash the hash of this browser's cookie `device`; null if the browser has none */
export async function findSignInAccount(
  db: Database,
  userId: string,
  deviceHash: string | null,
): Promise<SignInAccount | null> {
  return db.$client
    .prepare(ACCOUNT)
    .bind(userId, deviceHash ?? "")
    .first<SignInAccount>();
}

export interface SeenDevice {
  userId: string;
  tokenHash: string;
  /** The header `User-Agent`. */
  name: string;
  /** The shortened IP address. */
  address: string;
  /** Epoch milliseconds. If undefined, the device's trust stays unchanged. */
  trustUntil: number | undefined;
}

/**
 * The statement that notes a sign-in's device. Two parallel first sign-ins of one browser share one row, which keeps
 * its id.
 */
function deviceUpsert(db: Database, device: SeenDevice, now: number, condition: SQL) {
  const { userId, tokenHash, name, address, trustUntil } = device;
  const trust = trustUntil === undefined ? {} : { trustedUntil: new Date(trustUntil) };
  return db
    .insert(devices)
    .select(
      sql`select ${crypto.randomUUID()}, ${userId}, ${tokenHash}, ${name}, ${now}, ${now}, ${address},
        ${trustUntil ?? null} where ${condition}`,
    )
    .onConflictDoUpdate({
      target: [devices.userId, devices.tokenHash],
      set: { ...trust, name, address, lastSeenAt: new Date(now) },
    });
}

export interface NewChallenge {
  tokenHash: string;
  kind: StepKind;
  /** Null for the administrator in the settings, who has no account. */
  userId: string | null;
  /** The step's data as JSON, whose shape depends on `kind`. */
  data: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}
/** `not-me`: the link in a mail about a new device. */
type StepKind = WaitingKind | "not-me";

export async function insertChallenge(db: Database, step: NewChallenge): Promise<void> {
  await stepInsert(db, step, sql`true`);
}

function stepInsert(db: Database, { tokenHash, kind, userId, data, expiresAt }: NewChallenge, condition: SQL) {
  return db
    .insert(challenges)
    .select(sql`select ${tokenHash}, ${kind}, ${userId}, ${data}, 0, ${expiresAt} where ${condition}`);
}

export interface NewSession {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** The whole IP address, which the cron shortens later. */
  ipAddress: string;
  method: SignInMethod;
  /** Epoch milliseconds; null for a session that begins unconfirmed. */
  confirmedAt: number | null;
}

/** A mail about a new device, and the challenge of the mail's link. */
export interface NewDeviceNotice extends DueMail {
  step: NewChallenge;
}

/**
 * Begins a session, notes the sign-in and its device, and saves the mail about a new device. Does nothing if the
 * account is being deleted or suspended, or its access revision has risen since the sign-in began.
 * @param revision the account's access revision when the sign-in began
 * @returns whether the session has begun
 */
export async function insertSession(
  db: Database,
  session: NewSession,
  event: NewEvent,
  device: SeenDevice,
  revision: number,
  notice: NewDeviceNotice | null,
): Promise<boolean> {
  const { userId, at } = event;
  const { token, expiresAt, ipAddress, method, confirmedAt } = session;
  const mayBegin = hasAccessRevision(userId, revision);
  const isDevice = and(eq(devices.userId, userId), eq(devices.tokenHash, device.tokenHash));
  const [, inserted] = await db.batch([
    deviceUpsert(db, device, at, mayBegin),
    db.insert(sessions).select(
      sql`select ${crypto.randomUUID()}, ${userId}, ${token}, ${expiresAt}, ${ipAddress}, ${device.name}, ${at}, ${at},
        ${method}, ${confirmedAt}, (select ${devices.id} from ${devices} where ${isDevice}) where ${mayBegin}`,
    ),
    accountEventInsert(db, event, mayBegin),
    ...(notice ? [stepInsert(db, notice.step, mayBegin), outboxInsert(db, notice, mayBegin, at)] : []),
  ]);
  return inserted.meta.changes === 1;
}
