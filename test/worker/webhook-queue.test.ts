import { createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { consume } from "#worker/consume.ts";
import { servicesFor } from "#worker/services.ts";
import { deliver, queueDue } from "#worker/webhooks/deliver.ts";
import { namespaceWithEnv } from "../support/durable-objects-with-env.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import {
  addDeliveries,
  addWebhook,
  deliveriesOf,
  queuedDeliveriesTried,
  ReceiverInbox,
  runChoreAt,
} from "../support/webhooks.ts";
import { withMethod, workerWith } from "../support/worker-with-env.ts";
import { Client, putOnPlan, runSql, sendFile, signUp } from "../support/worker.ts";

const services = servicesFor(env);
const MINUTE = 60_000;

let owner: Awaited<ReturnType<typeof signUp>>;
let inbox: ReceiverInbox;
let webhook: Awaited<ReturnType<typeof addWebhook>>;

beforeEach(async () => {
  await runSql("delete from webhooks");
  owner = await signUp();
  inbox = new ReceiverInbox();
  webhook = await addWebhook(owner, inbox.url, ["transfer.uploaded"]);
  // What fails on purpose is logged.
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

function batchOf(ids: readonly string[]): MessageBatch {
  const timestamp = new Date();
  return createMessageBatch(
    "mayfly-webhooks",
    ids.map((body) => ({ id: crypto.randomUUID(), timestamp, attempts: 1, body })),
  );
}

async function receivedIds(): Promise<string[]> {
  return (await inbox.received(0)).map(({ headers }) => headers["webhook-id"] ?? "");
}

async function statesOf(): Promise<string[]> {
  return (await deliveriesOf(owner, webhook.id)).map(({ state }) => state);
}

describe("messages of deliveries", () => {
  it("that come twice and out of order send each delivery once, also to consumers that overlap [HOOK-12]", async () => {
    const ids = await addDeliveries(webhook.id, 20);
    const twice = [...ids, ...ids];
    const shuffled = twice.map((_, n) => twice[(n * 7) % twice.length] ?? "");
    await Promise.all([
      env.WEBHOOKS.sendBatch(shuffled.map((body) => ({ body }))),
      consume(services, batchOf(ids)),
      consume(services, batchOf(shuffled)),
    ]);
    await queuedDeliveriesTried();
    expect((await receivedIds()).sort()).toEqual(ids.sort());
    expect(await statesOf()).toEqual(Array(20).fill("delivered"));
  });

  it("that come twice do not try a delivery again before its time [HOOK-6]", async () => {
    await inbox.answerNext({ status: 500 });
    const [id = ""] = await addDeliveries(webhook.id, 1);
    for (let copy = 0; copy < 2; copy += 1) await consume(services, batchOf([id]));
    expect(await receivedIds()).toEqual([id]);
    expect(await deliveriesOf(owner, webhook.id)).toMatchObject([{ state: "waiting", attempts: 1, lastStatus: 500 }]);
  });

  it.each(["before", "after"])(
    "lose nothing when their consumer dies %s any of its queries [HOOK-12]",
    async (moment) => {
      // It takes them, reads their webhooks, and notes each try.
      for (const died of [0, 1, 2, 3, 4]) {
        const ids = await addDeliveries(webhook.id, 3);
        let query = -1;
        const DB = interceptQueries(env.DB, async (_queries, proceed) => {
          query += 1;
          if (query > died || (query === died && moment === "before")) throw new Error("killed");
          const answer = await proceed();
          if (query === died) throw new Error("killed");
          return answer;
        });
        await consume(servicesFor({ ...env, DB }), batchOf(ids));
        expect(query).toBeGreaterThanOrEqual(died);
        await runChoreAt(Date.now() + 2 * MINUTE);
        expect(await receivedIds()).toEqual(expect.arrayContaining(ids));
      }
      expect(await statesOf()).toEqual(Array(15).fill("delivered"));
    },
  );
});

describe("a queue", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["loses", () => Promise.resolve()],
    ["refuses", () => Promise.reject(new Error("Queue is overloaded"))],
  ])("that %s an upload's delivery is helped by the cron five minutes later [HOOK-12]", async (_what, sendBatch) => {
    const broken = { ...env, WEBHOOKS: withMethod(env.WEBHOOKS, "sendBatch", sendBatch) };
    broken.UPLOADS = namespaceWithEnv(env.UPLOADS, UploadSession, broken);
    const { uploadId } = await sendFile(new Client(owner.cookie, workerWith(broken)), "some bytes");
    const [delivery] = await deliveriesOf(owner, webhook.id);
    const at = Date.parse(delivery?.createdAt ?? "");
    expect(await runChoreAt(at + 5 * MINUTE - 1)).toBe(0);
    expect(await runChoreAt(at + 5 * MINUTE)).toBe(1);
    expect(await receivedIds()).toEqual([`${uploadId}_transfer_uploaded`]);
  });

  it("that refuses what is due leaves it to the cron, which tries it itself [HOOK-12]", async () => {
    const ids = await addDeliveries(webhook.id, 3);
    const refusing = withMethod(env.WEBHOOKS, "sendBatch", () => Promise.reject(new Error("Queue is overloaded")));
    expect(await queueDue(servicesFor({ ...env, WEBHOOKS: refusing }), Date.now)).toBe(3);
    expect((await receivedIds()).sort()).toEqual(ids.sort());
  });

  it("that is behind is given a delivery once in five minutes, and each of its messages may send it [HOOK-12]", async () => {
    const [id = ""] = await addDeliveries(webhook.id, 1);
    const losing = servicesFor({ ...env, WEBHOOKS: withMethod(env.WEBHOOKS, "sendBatch", () => Promise.resolve()) });
    const start = Date.now();
    const due = [];
    for (const minutes of [0, 1, 4, 5, 6, 10]) due.push(await queueDue(losing, () => start + minutes * MINUTE));
    expect(due).toEqual([1, 0, 0, 1, 0, 1]);
    for (let copy = 0; copy < 3; copy += 1) await consume(services, batchOf([id]));
    expect(await receivedIds()).toEqual([id]);
  });
});

describe("a batch", () => {
  it("does not wait for a receiver that does not answer before it tells the others [HOOK-8]", async () => {
    await putOnPlan(owner.email, "professional");
    const told = new ReceiverInbox();
    const others = await addWebhook(owner, told.url.replace("127.0.0.1", "localhost"));
    const ids = [...(await addDeliveries(webhook.id, 2)), ...(await addDeliveries(others.id, 2))];
    // Answers once the test sends a second request.
    await inbox.answerNext({ status: 204, awaitsOpen: 2 });
    const consumed = consume(services, batchOf(ids));
    await told.received(2);
    expect(await receivedIds()).toEqual([]);
    await fetch(inbox.url, { method: "POST" });
    await consumed;
    expect(await statesOf()).toEqual(["delivered", "delivered"]);
  });

  it("has no more requests open than an invocation may have connections, and tells all [HOOK-8]", async () => {
    const ids: string[] = [];
    for (const account of [owner, await signUp()]) {
      await putOnPlan(account.email, "professional");
      for (let n = 0; n < 4; n += 1) {
        const { id } = await addWebhook(account, `https://${crypto.randomUUID()}.example.org/`);
        ids.push(...(await addDeliveries(id, 1)));
      }
    }
    const open: ((answer: Response) => void)[] = [];
    let most = 0;
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(() => {
      const answered = new Promise<Response>((resolve) => open.push(resolve));
      most = Math.max(most, open.length);
      return answered;
    });
    const delivered = deliver(services, ids, Date.now);
    for (const left of [6, 6, 6, 5, 4, 3, 2, 1]) {
      await vi.waitUntil(() => open.length === left);
      open.shift()?.(new Response(null, { status: 204 }));
    }
    await delivered;
    fetched.mockRestore();
    expect(most).toBe(6);
  });
});
