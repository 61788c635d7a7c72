import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { LIVE_STATUSES } from "#domain/wire.ts";
import { deliver, stripe, type SignedEvent } from "./stripe.ts";
import { runSql, rowOf } from "./worker.ts";

const STEPS = [
  "fail",
  "recover",
  "renew",
  "leave",
  "stay",
  "unpaid",
  "trialing",
  "change",
  "change",
  "delete",
  "subscribe",
];
const STEPS_IN_A_LIFE = 6;

export interface LivedLife {
  /** The steps, for debugging. */
  story: string;
  plan: PlanId;
  expected: PlanId;
  /** Whether the file that never expired has an expiry now. */
  filesEnded: boolean;
  mails: number;
}

/**
 * Plays random changes of a subscription at Stripe while its events arrive in random order, in parallel, and up to three
 * times each. The same seed gives the same sequence.
 */
export async function playLife(seed: number): Promise<LivedLife> {
  const random = createRandom(seed);
  const { userId, email, customer } = await createUltimateUser();
  const story = [`seed ${seed}:`];
  const waiting: SignedEvent[] = [];
  let known = 0;
  const collect = async () => {
    const events = await stripe<SignedEvent[]>("events", { customer });
    for (const event of events.slice(known))
      for (let copies = 1 + random(3); copies > 0; copies -= 1) waiting.push(event);
    known = events.length;
  };
  const deliverSome = async () => {
    const group = Array.from(
      { length: Math.min(waiting.length, 1 + random(3)) },
      () => waiting.splice(random(waiting.length), 1)[0],
    );
    for (const event of group) story.push(`(${event?.type ?? ""})`);
    const answers = await Promise.all(group.map((event) => deliver(event ?? { body: "", signature: "" })));
    const failed = answers.find(({ ok }) => !ok);
    if (failed) throw new Error(`${story.join(" ")}: ${failed.status} ${await failed.text()}`);
  };
  let pendingDelivery = Promise.resolve();
  for (let steps = 0; steps < STEPS_IN_A_LIFE; steps += 1) {
    story.push(await takeStep(customer, random));
    await pendingDelivery;
    await collect();
    // Not awaited, so that the next change happens during the delivery.
    pendingDelivery = random(2) === 0 ? deliverSome() : Promise.resolve();
  }
  await pendingDelivery;
  while (waiting.length > 0) await deliverSome();

  const { plan } = await rowOf<{ plan: PlanId }>("select plan_type as plan from users where id = ?", userId);
  const { ended } = await rowOf<{ ended: number }>(
    "select expires_at is not null as ended from files where user_id = ?",
    userId,
  );
  const { mails } = await rowOf<{ mails: number }>('select count(*) as mails from mail_outbox where "to" = ?', email);
  return { story: story.join(" "), plan, expected: await planAtStripe(customer), filesEnded: ended === 1, mails };
}

interface KnownSubscription {
  id: string;
  status: string;
  items: { data: { price: { lookup_key: string } }[] };
}

/** Makes a random change. @returns its description */
async function takeStep(customer: string, random: (below: number) => number): Promise<string> {
  const { subscriptions } = await stripe<{ subscriptions: KnownSubscription[] }>("state", { customer });
  const alive = subscriptions.filter(({ status }) => status !== "canceled");
  const step = STEPS[random(STEPS.length)] ?? "";
  const plan: PlanId = random(2) === 0 ? "professional" : "ultimate";
  const chosen = alive[random(Math.max(1, alive.length))];
  if (step === "subscribe" || !chosen) {
    await stripe("subscribe", { customer, plan });
    return `subscribe ${plan}`;
  }
  await stripe("live", { subscription: chosen.id, step, ...(step === "change" ? { plan } : {}) });
  return step === "change" ? `change to ${plan}` : step;
}

async function planAtStripe(customer: string): Promise<PlanId> {
  const { subscriptions } = await stripe<{ subscriptions: KnownSubscription[] }>("state", { customer });
  const plans = subscriptions
    .filter(({ status }) => LIVE_STATUSES.includes(status))
    .map(({ items }) => PLAN_IDS.findIndex((id) => items.data[0]?.price.lookup_key.includes(id)));
  return PLAN_IDS[Math.max(0, ...plans)] ?? "free";
}

/** Creates a user on the largest plan with a file that never expires. */
async function createUltimateUser(): Promise<{ userId: string; email: string; customer: string }> {
  const { id: customer } = await stripe<{ id: string }>("customer");
  await stripe("subscribe", { customer, plan: "ultimate" });
  const userId = crypto.randomUUID();
  const email = `${userId}@example.com`;
  const now = Date.now();
  await runSql(
    `insert into users (id, email, plan_type, stripe_customer_id, current_period_start, current_period_end, created_at, updated_at)
     values (?, ?, 'ultimate', ?, ?, ?, ?, ?)`,
    userId,
    email,
    customer,
    now,
    now + 30 * 86_400_000,
    now,
    now,
  );
  await runSql(
    `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at)
     values (?, ?, 'a', 'a', 1, 'text/plain', ?, ?, 'ready', 'never', ?, ?, 'e', ?, ?)`,
    crypto.randomUUID(),
    userId,
    crypto.randomUUID(),
    crypto.randomUUID(),
    now,
    now,
    now,
    now,
  );
  return { userId, email, customer };
}

/** A seeded generator of integers from 0 to `below` - 1 (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
