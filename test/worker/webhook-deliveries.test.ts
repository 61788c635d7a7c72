import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ListedWebhook } from "#domain/wire.ts";
import { markQueued } from "#worker/db/webhook-deliveries.ts";
import { servicesFor } from "#worker/services.ts";
import { deliver } from "#worker/webhooks/deliver.ts";
import { mailsTo } from "../support/mails.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { textFile } from "../support/transfers.ts";
import { addDeliveries, addWebhook, deliveriesOf, isSigned, ReceiverInbox, runChoreAt } from "../support/webhooks.ts";
import type { ToldAnswer } from "../support/webhook-receiver/receiver.ts";
import { answerOf, putOnPlan, runSql, sendFile, signUp } from "../support/worker.ts";

const services = servicesFor(env);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let owner: Awaited<ReturnType<typeof signUp>>;
let inbox: ReceiverInbox;
let webhook: Awaited<ReturnType<typeof addWebhook>>;

beforeEach(async () => {
  await runSql("delete from webhooks");
  owner = await signUp();
  inbox = new ReceiverInbox();
  webhook = await addWebhook(owner, inbox.url, ["transfer.deleted"]);
});

/** Leaves one waiting delivery. @returns when it was written */
async function deleteFile(): Promise<number> {
  const { uploadId } = await sendFile(owner, "some bytes");
  await owner.delete(`/api/files/${uploadId}`);
  const [delivery] = await deliveriesOf(owner, webhook.id);
  return Date.parse(delivery?.createdAt ?? "");
}

const newest = async () => (await deliveriesOf(owner, webhook.id))[0];
const nextAt = async () => Date.parse((await newest())?.nextAttemptAt ?? "");
const state = async () => (await (await owner.fetch("/api/webhooks")).json<ListedWebhook[]>())[0];

const failures = (count: number): ToldAnswer[] => Array.from({ length: count }, () => ({ status: 500 }));

describe("an upload's event", () => {
  it("comes from the queue at once, and not from the cron again", async () => {
    await owner.patch(`/api/webhooks/${webhook.id}`, { events: ["transfer.uploaded"] });
    const { uploadId } = await sendFile(owner, "some bytes");
    const [request] = await inbox.received(1);
    expect(request?.headers["webhook-id"]).toBe(`${uploadId}_transfer_uploaded`);
    expect(request && isSigned(request, webhook.secret)).toBe(true);
    await vi.waitUntil(async () => (await newest())?.state === "delivered");
    await runChoreAt(Date.now() + HOUR);
    expect(await inbox.received(0)).toHaveLength(1);
  });

  it("comes at once also for files that a stranger has sent through a request", async () => {
    await owner.patch(`/api/webhooks/${webhook.id}`, { events: ["request.received"] });
    const { uploadId } = await new Sender(await createRequest(owner)).send([textFile("a.txt")]);
    const [request] = await inbox.received(1);
    expect(request?.headers["webhook-id"]).toBe(`${uploadId}_request_received`);
  });

  it("comes from the cron when the first try has failed", async () => {
    await owner.patch(`/api/webhooks/${webhook.id}`, { events: ["transfer.uploaded"] });
    await inbox.answerNext({ status: 503 });
    await sendFile(owner, "some bytes");
    await vi.waitUntil(async () => (await newest())?.attempts === 1);
    expect(await newest()).toMatchObject({ state: "waiting", lastStatus: 503 });
    await runChoreAt((await nextAt()) - 1);
    expect(await inbox.received(0)).toHaveLength(1);
    await runChoreAt(await nextAt());
    expect(await newest()).toMatchObject({ state: "delivered", attempts: 2, lastStatus: 204 });
    const [first, second] = await inbox.received(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });
});

describe("a delivery that fails", () => {
  it("is tried ten times, after 1, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours [HOOK-6]", async () => {
    await inbox.answerNext(...failures(10));
    let now = await deleteFile();
    const tries = [now];
    const delays: number[] = [];
    for (let tried = 1; tried <= 9; tried += 1) {
      await runChoreAt(now);
      expect(await newest()).toMatchObject({ attempts: tried, state: "waiting" });
      // Here only the schedule counts: another event has come through.
      await runSql("update webhooks set failing_since = null where id = ?", webhook.id);
      delays.push((await nextAt()) - now);
      now = await nextAt();
      tries.push(now);
    }
    await runChoreAt(now);
    expect(await newest()).toMatchObject({ attempts: 10, state: "failed", nextAttemptAt: null, lastStatus: 500 });
    const planned = [1, 5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * MINUTE);
    for (const [at, delay] of delays.entries()) {
      const least = planned[at] ?? 0;
      expect([at, delay >= least && delay <= least * 1.2]).toEqual([at, true]);
    }
    await runChoreAt(now + 100 * HOUR);
    const requests = await inbox.received(0);
    expect(requests).toHaveLength(10);
    // Each try is signed anew, because receivers reject old signatures.
    expect(requests.map((request, at) => isSigned(request, webhook.secret, tries[at]))).toEqual(Array(10).fill(true));
    expect(requests[9] && isSigned(requests[9], webhook.secret, tries[8])).toBe(false);
  });

  it("waits as long as Retry-After says [HOOK-6]", async () => {
    await inbox.answerNext({ status: 429, headers: { "retry-after": "3600" } });
    const now = await deleteFile();
    await runChoreAt(now);
    expect(await nextAt()).toBe(now + HOUR);
  });

  it.each<[string, ToldAnswer, object]>([
    ["a redirect", { status: 302, headers: { location: "/hook/elsewhere" } }, { lastStatus: 302, lastError: null }],
    ["a broken connection", { status: 0, breaks: true }, { lastStatus: null, lastError: "unreachable" }],
    ["a refusal", { status: 404 }, { lastStatus: 404, lastError: null }],
  ])("includes %s", async (_what, answer, expected) => {
    await inbox.answerNext(answer);
    await runChoreAt(await deleteFile());
    expect(await newest()).toMatchObject({ state: "waiting", attempts: 1, ...expected });
    expect(await inbox.received(1)).toHaveLength(1);
  });

  it("is told once more when its owner asks [HOOK-9]", async () => {
    await inbox.answerNext({ status: 500 });
    await runChoreAt(await deleteFile());
    const failed = await newest();
    const path = `/api/webhooks/${webhook.id}/deliveries/${failed?.id}/retry`;
    const [status, again] = await answerOf(owner.post(path, {}));
    expect([status, again.state, again.attempts]).toEqual([200, "delivered", 2]);
    // A delivered one may be sent again too, with the same id.
    expect(await answerOf(owner.post(path, {}))).toMatchObject([200, { state: "delivered", attempts: 3 }]);
    const ids = (await inbox.received(3)).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids)).toEqual(new Set([failed?.eventId]));
    expect((await owner.post(`/api/webhooks/${webhook.id}/deliveries/unknown/retry`, {})).status).toBe(404);
  });
});

describe("a webhook that fails", () => {
  const mails = async () =>
    (await mailsTo(owner.email)).filter(({ subject }) => subject === "Your webhook was switched off");

  it("is switched off by 410, with one mail, and what waits has failed [HOOK-7]", async () => {
    const first = await deleteFile();
    await deleteFile();
    await inbox.answerNext({ status: 410 }, { status: 410 });
    await runChoreAt(first + MINUTE);
    expect(await state()).toMatchObject({ enabled: false });
    expect((await deliveriesOf(owner, webhook.id)).map((delivery) => delivery.state)).toEqual(["failed", "failed"]);
    const told = await mails();
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain(inbox.url);
  });

  it("for three days is switched off at the next failure; a success in between starts anew [HOOK-7]", async () => {
    await inbox.answerNext({ status: 500 }, { status: 204 }, { status: 500 }, { status: 500 }, { status: 500 });
    const start = await deleteFile();
    await runChoreAt(start);
    expect((await state())?.failingSince).toBe(new Date(start).toISOString());
    await runChoreAt(start + 2 * MINUTE);
    expect((await state())?.failingSince).toBeNull();

    await deleteFile();
    await runChoreAt(start + HOUR);
    expect((await state())?.failingSince).toBe(new Date(start + HOUR).toISOString());
    await runChoreAt(start + HOUR + 72 * HOUR - 1);
    expect(await state()).toMatchObject({ enabled: true });
    await runSql("update webhook_deliveries set next_attempt_at = 0 where state = 'waiting'");
    await runChoreAt(start + HOUR + 72 * HOUR);
    expect(await state()).toMatchObject({ enabled: false });
    expect(await mails()).toHaveLength(1);
  });
});

describe("the cron", () => {
  it("gives what is due to the queue, whose consumer sends one at a time to a host [HOOK-8]", async () => {
    await addDeliveries(webhook.id, 60);
    await inbox.answerNext(...Array.from({ length: 5 }, () => ({ status: 204, delayMs: 20 })));
    const now = Date.now();
    expect(await runChoreAt(now)).toBe(60);
    expect(await inbox.received(0)).toHaveLength(60);
    expect(await inbox.mostAtOnce()).toBe(1);
    expect(await runChoreAt(now)).toBe(0);
  });

  it("sends to the same host one at a time also for several webhooks, and to other hosts meanwhile [HOOK-8]", async () => {
    await putOnPlan(owner.email, "professional");
    const beside = await addWebhook(owner, inbox.url);
    await addDeliveries(webhook.id, 2);
    await addDeliveries(beside.id, 2);
    await inbox.answerNext(...Array.from({ length: 4 }, () => ({ status: 204, delayMs: 20 })));
    expect(await runChoreAt(Date.now())).toBe(4);
    expect(await inbox.mostAtOnce()).toBe(1);

    const elsewhere = await addWebhook(owner, inbox.url.replace("127.0.0.1", "localhost"));
    await addDeliveries(webhook.id, 1);
    await addDeliveries(elsewhere.id, 1);
    await inbox.answerNext({ status: 204, awaitsOpen: 2 }, { status: 204, awaitsOpen: 2 });
    expect(await runChoreAt(Date.now())).toBe(2);
    expect(await inbox.mostAtOnce()).toBe(2);
  });

  it("gives each webhook its share [HOOK-8]", async () => {
    await addDeliveries(webhook.id, 60);
    const theirs = await addWebhook(await signUp(), new ReceiverInbox().url);
    const [id] = await addDeliveries(theirs.id, 1);
    const now = Date.now();
    const marked = await markQueued(services.db, now, now, 10);
    expect([marked.length, marked.includes(id ?? "")]).toEqual([10, true]);
  });

  it("whose runs overlap gives nothing to the queue twice [HOOK-8]", async () => {
    await addDeliveries(webhook.id, 10);
    const now = Date.now();
    const counts = await Promise.all([runChoreAt(now), runChoreAt(now)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(10);
    expect(await inbox.received(0)).toHaveLength(10);
  });

  it("brings what a killed consumer had taken, two minutes later", async () => {
    const now = await deleteFile();
    await runSql("update webhook_deliveries set next_attempt_at = ? where webhook_id = ?", now + 120_000, webhook.id);
    expect(await runChoreAt(now + 119_999)).toBe(0);
    expect(await runChoreAt(now + 120_000)).toBe(1);
    expect(await newest()).toMatchObject({ state: "delivered" });
  });

  it("brings what a batch has not begun within 15 seconds", async () => {
    const ids = await addDeliveries(webhook.id, 3);
    const start = Date.now();
    // The batch asks the clock at its start, and before each try; each try takes ten seconds.
    let asked = 0;
    await deliver(services, ids, () => start + Math.max(0, (asked += 1) - 2) * 10_000);
    expect(await inbox.received(0)).toHaveLength(2);
    expect(await runChoreAt(start + 2 * MINUTE - 1)).toBe(0);
    expect(await runChoreAt(start + 2 * MINUTE)).toBe(1);
    expect(await inbox.received(0)).toHaveLength(3);
  });
});
