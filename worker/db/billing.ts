import { and, eq, gt, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { BillingPeriod } from "#domain/billing-period.ts";
import type { PlanId } from "#domain/plans.ts";
import type { RenderedMail } from "../mail/mail.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { files, mailOutbox, stripeEvents, subscriptions, users } from "./schema.ts";

/** A person's plan, month and subscription. */
export interface BillingRow {
  userId: string;
  email: string;
  planType: PlanId;
  stripeCustomerId: string | null;
  convertingCustomerId: string | null;
  stripeSubscriptionId: string | null;
  revision: string;
  /** The billing date: the day of sign-up, or of a paid subscription. */
  anchor: Date;
  signedUpAt: Date;
  /** Bytes, and finished or reserved uploads, of the billing month. */
  bytes: number;
  transfers: number;
  periodStart: Date;
  periodEnd: Date;
  /** The subscription's, as Stripe names it; null where there is none. */
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
  transfers: users.monthlyTransferCount,
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

/** That person's plan, month and subscription; null for nobody, and for somebody whose deletion has begun. */
export async function findBilling(db: Database, userId: string): Promise<BillingRow | null> {
  const [row] = await selectBilling(db, eq(users.id, userId)).limit(1);
  return row ?? null;
}

function byCustomer(customerId: string): SQL | undefined {
  return or(eq(users.stripeCustomerId, customerId), eq(users.convertingCustomerId, customerId));
}

/** The person that a Stripe customer is, or null; and whether that event has been dealt with before. */
export async function findEventSubject(
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

/** What becomes of a person's plan. */
export interface BillingChange {
  planType: PlanId;
  stripeCustomerId: string | null;
  convertingCustomerId: string | null;
  stripeSubscriptionId: string | null;
  /** The paid months' billing date; null for the day of sign-up. */
  anchor: Date | null;
  /** A month that begins later than the one before starts at nothing. Null keeps what is there. */
  period: { start: number | null; end: number | null };
  /** Null leaves whatever is there. */
  subscription: SubscriptionMirror | null;
  /** For files that never expire, where the plan does not allow it any more; null leaves them. */
  foreverEnds: { at: number; mail: RenderedMail } | null;
  /** Where an administrator does it. */
  entry?: AuditEntry;
}

/** A subscription as it stands at Stripe, or as it was chosen by hand. */
export interface SubscriptionMirror {
  planType: PlanId;
  stripeSubscriptionId: string | null;
  stripeCustomerId: string | null;
  period: BillingPeriod;
  status: string;
  cancelAtPeriodEnd: boolean;
}

/** An event of Stripe's, noted in the transaction that it leads to. */
export interface HandledEvent {
  id: string;
  type: string;
  at: number;
}

/**
 * Changes a person's plan, all of it or nothing, unless it was changed after `row` was read: then what the change was
 * made from is old.
 * @param now epoch milliseconds
 * @returns whether it was changed
 */
export async function changeBilling(
  db: Database,
  row: BillingRow,
  change: BillingChange,
  event: HandledEvent | null,
  now: number,
): Promise<boolean> {
  const revision = crypto.randomUUID();
  const isOurs = sql`exists (select 1 from ${users} where ${users.id} = ${row.userId} and ${users.billingRevision} = ${revision})`;
  const [changed] = await db.batch([
    updatePlan(db, row, change, revision),
    ...(change.subscription ? [mirrorSubscription(db, row.userId, change.subscription, isOurs, now)] : []),
    ...(change.foreverEnds ? endForever(db, row.userId, change.foreverEnds, isOurs, now) : []),
    ...(event ? [noteEvent(db, event, isOurs)] : []),
    ...(change.entry ? [auditEntryInsert(db, change.entry, isOurs)] : []),
  ]);
  return changed.meta.changes === 1;
}

function updatePlan(db: Database, row: BillingRow, change: BillingChange, revision: string) {
  const { start, end } = change.period;
  const begins = start === null ? sql`0` : sql`${users.currentPeriodStart} < ${start}`;
  return db
    .update(users)
    .set({
      planType: change.planType,
      stripeCustomerId: change.stripeCustomerId,
      convertingCustomerId: change.convertingCustomerId,
      stripeSubscriptionId: change.stripeSubscriptionId,
      billingAnchor: change.anchor,
      billingRevision: revision,
      monthlyUploadTotal: sql`case when ${begins} then 0 else ${users.monthlyUploadTotal} end`,
      monthlyTransferCount: sql`case when ${begins} then 0 else ${users.monthlyTransferCount} end`,
      ...(start === null ? {} : { currentPeriodStart: new Date(start) }),
      ...(end === null ? {} : { currentPeriodEnd: new Date(end) }),
    })
    .where(and(eq(users.id, row.userId), eq(users.billingRevision, row.revision), isNull(users.deletedAt)));
}

function mirrorSubscription(db: Database, userId: string, mirror: SubscriptionMirror, isOurs: SQL, now: number) {
  const { planType, stripeSubscriptionId, stripeCustomerId, period, status, cancelAtPeriodEnd } = mirror;
  return db
    .insert(subscriptions)
    .select(
      sql`
        select ${crypto.randomUUID()}, ${userId}, ${planType}, ${stripeSubscriptionId}, ${stripeCustomerId},
          ${period.start}, ${period.end}, ${status}, ${Number(cancelAtPeriodEnd)}, ${now}, ${now}
        where ${isOurs}`,
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

/** The mail first: whether there is anything to tell shows only before the files have got their end. */
function endForever(
  db: Database,
  userId: string,
  { at, mail }: { at: number; mail: RenderedMail },
  isOurs: SQL,
  now: number,
) {
  const kept = and(eq(files.userId, userId), sql`${files.status} = 'ready'`, isNull(files.expiresAt));
  return [
    db.insert(mailOutbox).select(sql`
      select ${mail.id}, ${mail.to}, ${mail.subject}, ${mail.html}, ${mail.text}, 0, ${now}, ${now}
      where ${isOurs} and exists (select 1 from ${files} where ${kept})`),
    db
      .update(files)
      .set({ expiresAt: new Date(at) })
      .where(and(kept, isOurs)),
  ];
}

function noteEvent(db: Database, { id, type, at }: HandledEvent, isOurs: SQL) {
  return db
    .insert(stripeEvents)
    .select(sql`select ${id}, ${type}, ${at} where ${isOurs}`)
    .onConflictDoNothing();
}

/**
 * Keeps somebody's Stripe customer, or the one that a manual customer is turning into, unless it is not `former` any
 * more. @returns whether it is theirs now
 */
export async function saveCustomer(
  db: Database,
  userId: string,
  column: "stripeCustomerId" | "convertingCustomerId",
  customerId: string,
  former: string | null,
): Promise<boolean> {
  const isAsKnown = former === null ? isNull(users[column]) : eq(users[column], former);
  const { meta } = await db
    .update(users)
    .set({ [column]: customerId })
    .where(and(eq(users.id, userId), isNull(users.deletedAt), isAsKnown));
  return meta.changes === 1;
}

/** Every Stripe customer that a person has been, whatever has become of the person. */
export async function listStripeCustomers(db: Database, userId: string): Promise<string[]> {
  const [row] = await db
    .select({ current: users.stripeCustomerId, converting: users.convertingCustomerId })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);
  return [row?.current, row?.converting].filter((id) => id?.startsWith("cus_")) as string[];
}

/**
 * Begins a person's next billing month, if the last one has ended: once, however many ask for it.
 * @returns whether this call began it
 */
export async function beginMonth(db: Database, userId: string, period: BillingPeriod, now: number): Promise<boolean> {
  const { meta } = await db
    .update(users)
    .set({
      monthlyUploadTotal: 0,
      monthlyTransferCount: 0,
      currentPeriodStart: new Date(period.start),
      currentPeriodEnd: new Date(period.end),
    })
    .where(and(eq(users.id, userId), lte(users.currentPeriodEnd, new Date(now)), gt(sql`${period.end}`, now)));
  return meta.changes === 1;
}

/** People whose billing month has ended, longest ago first. */
export async function listEndedMonths(db: Database, now: number, limit: number): Promise<BillingRow[]> {
  return selectBilling(db, lte(users.currentPeriodEnd, new Date(now)))
    .orderBy(users.currentPeriodEnd)
    .limit(limit);
}

/** Forgets events handled before `before`. @returns how many */
export async function deleteOldStripeEvents(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: stripeEvents.id })
    .from(stripeEvents)
    .where(lte(stripeEvents.handledAt, new Date(before)))
    .orderBy(stripeEvents.handledAt)
    .limit(limit);
  const { meta } = await db.delete(stripeEvents).where(sql`${stripeEvents.id} in ${old}`);
  return meta.changes;
}
