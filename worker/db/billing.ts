import { and, eq, gt, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { BillingPeriod } from "#domain/billing-period.ts";
import type { PlanId } from "#domain/plans.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type RenderedMail } from "./mail.ts";
import { files, stripeEvents, subscriptions, users } from "./schema.ts";

export interface BillingRow {
  userId: string;
  email: string;
  planType: PlanId;
  stripeCustomerId: string | null;
  convertingCustomerId: string | null;
  stripeSubscriptionId: string | null;
  revision: string;
  /** The date from which billing months are counted: the sign-up, or the start of the paid subscription. */
  anchor: Date;
  signedUpAt: Date;
  /** The bytes and the number of uploads in the billing month, including what is reserved for running uploads. */
  bytes: number;
  transfers: number;
  periodStart: Date;
  periodEnd: Date;
  /** Stripe's subscription status; null without a subscription. */
  status: string | null;
  cancelAtPeriodEnd: boolean | null;
}

const columns = {
  userId: users.id,
  email: users.email,
  planType: users.planType,
  stripeCustomerId: users.stripeCustomerId,
  convertingCustomerId: users.convertingCustomerId,
  stripeSubscriptionId: users.stripeSubscriptionId,
  revision: users.billingRevision,
  anchor: sql`coalesce(${users.billingAnchor}, ${users.createdAt})`.mapWith(users.createdAt),
  signedUpAt: users.createdAt,
  bytes: users.monthlyUploadTotal,
  transfers: users.monthlyUploadCount,
  periodStart: users.currentPeriodStart,
  periodEnd: users.currentPeriodEnd,
  status: subscriptions.status,
  cancelAtPeriodEnd: subscriptions.cancelAtPeriodEnd,
};

function selectBilling(db: Database, condition: SQL | undefined) {
  return db
    .select(columns)
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(and(condition, isNull(users.deletedAt)));
}

/** @returns null when the user does not exist or is being deleted */
export async function findBilling(db: Database, userId: string): Promise<BillingRow | null> {
  const [row] = await selectBilling(db, eq(users.id, userId)).limit(1);
  return row ?? null;
}

function byCustomer(customerId: string): SQL | undefined {
  return or(eq(users.stripeCustomerId, customerId), eq(users.convertingCustomerId, customerId));
}

export async function findEventCustomer(
  db: Database,
  eventId: string,
  customerId: string,
): Promise<{ handled: boolean; row: BillingRow | null }> {
  const [handled, rows] = await db.batch([
    db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, eventId)).limit(1),
    selectBilling(db, byCustomer(customerId)).limit(1),
  ]);
  return { handled: handled.length > 0, row: rows[0] ?? null };
}

export interface BillingChange {
  planType: PlanId;
  stripeCustomerId: string | null;
  convertingCustomerId: string | null;
  stripeSubscriptionId: string | null;
  /** The date from which paid billing months are counted; null for the sign-up. */
  anchor: Date | null;
  /** The new billing month. A later start resets the monthly totals; null keeps the current value. */
  period: { start: number | null; end: number | null };
  subscription: SubscriptionMirror | null;
  /**
   * The expiry for files that never expire, if the new plan does not allow such files; null keeps files without an
   * expiry.
   */
  endForeverFiles: { at: number; mail: RenderedMail } | null;
  entry?: AuditEntry;
}

/** The stored copy of a Stripe subscription, or of a plan that was chosen without Stripe. */
export interface SubscriptionMirror {
  planType: PlanId;
  stripeSubscriptionId: string | null;
  stripeCustomerId: string | null;
  period: BillingPeriod;
  status: string;
  cancelAtPeriodEnd: boolean;
}

/** A Stripe event, recorded in the transaction of the change that it causes. */
export interface HandledEvent {
  id: string;
  type: string;
  at: number;
}

/** Changes a plan in one transaction. @returns false if the plan changed after `row` was read (optimistic locking) */
export async function changeBilling(
  db: Database,
  row: BillingRow,
  change: BillingChange,
  event: HandledEvent | null,
  now: number,
): Promise<boolean> {
  const revision = crypto.randomUUID();
  const wasApplied = sql`exists (select 1 from ${users} where ${users.id} = ${row.userId} and ${users.billingRevision} = ${revision})`;
  const [changed] = await db.batch([
    updatePlan(db, row, change, revision),
    ...(change.subscription ? [mirrorSubscription(db, row.userId, change.subscription, wasApplied, now)] : []),
    ...(change.endForeverFiles ? expireForeverFiles(db, row.userId, change.endForeverFiles, wasApplied, now) : []),
    ...(event ? [recordEvent(db, event, wasApplied)] : []),
    ...(change.entry ? [auditEntryInsert(db, change.entry, wasApplied)] : []),
  ]);
  return changed.meta.changes === 1;
}

function updatePlan(db: Database, row: BillingRow, change: BillingChange, revision: string) {
  const { start, end } = change.period;
  const startsNewMonth = start === null ? sql`0` : sql`${users.currentPeriodStart} < ${start}`;
  return db
    .update(users)
    .set({
      planType: change.planType,
      stripeCustomerId: change.stripeCustomerId,
      convertingCustomerId: change.convertingCustomerId,
      stripeSubscriptionId: change.stripeSubscriptionId,
      billingAnchor: change.anchor,
      billingRevision: revision,
      monthlyUploadTotal: sql`case when ${startsNewMonth} then 0 else ${users.monthlyUploadTotal} end`,
      monthlyUploadCount: sql`case when ${startsNewMonth} then 0 else ${users.monthlyUploadCount} end`,
      ...(start === null ? {} : { currentPeriodStart: new Date(start) }),
      ...(end === null ? {} : { currentPeriodEnd: new Date(end) }),
    })
    .where(and(eq(users.id, row.userId), eq(users.billingRevision, row.revision), isNull(users.deletedAt)));
}

function mirrorSubscription(db: Database, userId: string, mirror: SubscriptionMirror, wasApplied: SQL, now: number) {
  const { planType, stripeSubscriptionId, stripeCustomerId, period, status, cancelAtPeriodEnd } = mirror;
  return db
    .insert(subscriptions)
    .select(
      sql`
        select ${crypto.randomUUID()}, ${userId}, ${planType}, ${stripeSubscriptionId}, ${stripeCustomerId},
          ${period.start}, ${period.end}, ${status}, ${Number(cancelAtPeriodEnd)}, ${now}, ${now}
        where ${wasApplied}`,
    )
    .onConflictDoUpdate({
      target: subscriptions.userId,
      set: {
        planType,
        stripeSubscriptionId,
        stripeCustomerId,
        currentPeriodStart: new Date(period.start),
        currentPeriodEnd: new Date(period.end),
        status,
        cancelAtPeriodEnd,
        updatedAt: new Date(now),
      },
    });
}

/** Queues the mail before the update: after the update, no row shows whether the mail is needed. */
function expireForeverFiles(
  db: Database,
  userId: string,
  { at, mail }: { at: number; mail: RenderedMail },
  wasApplied: SQL,
  now: number,
) {
  // An exact end that only the old plan allows is bounded, too; earlier ends stay.
  const foreverFiles = and(
    eq(files.userId, userId),
    sql`${files.status} = 'ready' and ${files.expiration} = 'never'`,
    or(isNull(files.expiresAt), gt(files.expiresAt, new Date(at))),
  );
  return [
    outboxInsert(
      db,
      { mail, dueAt: now },
      sql`${wasApplied} and exists (select 1 from ${files} where ${foreverFiles})`,
      now,
    ),
    db
      .update(files)
      .set({ expiresAt: new Date(at) })
      .where(and(foreverFiles, wasApplied)),
  ];
}

function recordEvent(db: Database, { id, type, at }: HandledEvent, wasApplied: SQL) {
  return db
    .insert(stripeEvents)
    .select(sql`select ${id}, ${type}, ${at} where ${wasApplied}`)
    .onConflictDoNothing();
}

/**
 * Saves the id of a user's Stripe customer.
 * @param column `convertingCustomerId` as long as a manual customer moves to Stripe
 * @returns false if the column does not hold `expectedId`
 */
export async function saveCustomer(
  db: Database,
  userId: string,
  column: "stripeCustomerId" | "convertingCustomerId",
  customerId: string,
  expectedId: string | null,
): Promise<boolean> {
  const isUnchanged = expectedId === null ? isNull(users[column]) : eq(users[column], expectedId);
  const { meta } = await db
    .update(users)
    .set({ [column]: customerId })
    .where(and(eq(users.id, userId), isNull(users.deletedAt), isUnchanged));
  return meta.changes === 1;
}

/** A user's Stripe customer ids, even while the user is being deleted. */
export async function listStripeCustomers(db: Database, userId: string): Promise<string[]> {
  const [row] = await db
    .select({ current: users.stripeCustomerId, converting: users.convertingCustomerId })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);
  return [row?.current, row?.converting].filter((id) => id?.startsWith("cus_")) as string[];
}

/**
 * Begins the next billing month. Of concurrent calls, one begins the month and returns true.
 * @returns false if the month has not ended
 */
export async function beginMonth(db: Database, userId: string, period: BillingPeriod, now: number): Promise<boolean> {
  const { meta } = await db
    .update(users)
    .set({
      monthlyUploadTotal: 0,
      monthlyUploadCount: 0,
      currentPeriodStart: new Date(period.start),
      currentPeriodEnd: new Date(period.end),
    })
    .where(and(eq(users.id, userId), lte(users.currentPeriodEnd, new Date(now)), gt(sql`${period.end}`, now)));
  return meta.changes === 1;
}

export async function listEndedMonths(db: Database, now: number, limit: number): Promise<BillingRow[]> {
  return selectBilling(db, lte(users.currentPeriodEnd, new Date(now)))
    .orderBy(users.currentPeriodEnd)
    .limit(limit);
}
