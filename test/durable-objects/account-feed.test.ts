import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { DownloadReport } from "#domain/feed/followed-downloads.ts";
import { feedRequest, type AccountFeed } from "#durable-objects/feed/account-feed.ts";
import { connectFeed, FeedPage } from "../support/feed.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { Client, runSql, signUp, stopClockAt } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

let person: Person;
let feed: DurableObjectStub<AccountFeed>;
beforeEach(async () => {
  person = await signUp();
  feed = env.FEEDS.get(env.FEEDS.idFromName(person.id));
});

function report(id: string, more: Partial<DownloadReport["news"]> = {}): DownloadReport {
  return {
    response: `response of ${id}`,
    isPart: false,
    isOneOfMany: false,
    reachesEnd: true,
    news: {
      type: "download",
      id,
      transferId: "transfer",
      bytes: 100,
      state: "running",
      startedAt: Date.now(),
      ...more,
    },
  };
}

const received = (transferId: string) =>
  ({ type: "received", transferId, requestId: "r", state: "arrived", title: "Photos", bytes: 5, at: 1 }) as const;

const idsOf = (news: FeedPage["messages"][number]) =>
  news.map((item) => (item.type === "download" ? item.id : item.transferId));

/** The Worker with its limits on. */
const limited = (cookie: string) => new Client(cookie, workerWith({ ...env, RATE_LIMITS: "on" }));

/** From another browser. */
async function logIn(email: string): Promise<Client> {
  const client = new Client();
  expect((await client.post("/api/auth/login", { email, password: "a good password" })).status).toBe(200);
  return client;
}

describe("an account's feed", () => {
  it("tells each open page of downloads and of what is received [FEED-1]", async () => {
    const pages = [await FeedPage.open(person), await FeedPage.open(person)];
    await feed.report(report("a", { recipient: "ann@example.com", entry: "a.txt" }));
    await feed.tell(received("t"));
    for (const page of pages) {
      await page.until(() => page.messages.flat().length === 2);
      expect(page.messages.flat()).toEqual([
        expect.objectContaining({ id: "a", recipient: "ann@example.com", entry: "a.txt", state: "running" }),
        received("t"),
      ]);
    }
  });

  it("tells nobody else [FEED-1]", async () => {
    const stranger = await signUp();
    const page = await FeedPage.open(stranger);
    await feed.report(report("not theirs"));
    await env.FEEDS.get(env.FEEDS.idFromName(stranger.id)).report(report("theirs"));
    await page.until(() => page.messages.flat().length > 0);
    expect(idsOf(page.messages.flat())).toEqual(["theirs"]);
  });

  it("passes on at once, and what follows within half a second in one message [FEED-1]", async () => {
    const page = await FeedPage.open(person);
    await runInDurableObject(feed, (instance) => {
      for (let n = 1; n <= 10; n += 1) instance.report(report(`download ${n}`));
    });
    await page.until(() => page.messages.flat().length >= 10);
    expect(page.messages.map(({ length }) => length)).toEqual([0, 1, 9]);
  });

  it("tells only the latest of a download that changes faster", async () => {
    const page = await FeedPage.open(person);
    await runInDurableObject(feed, (instance) => {
      instance.report(report("other"));
      instance.report(report("a"));
      instance.report(report("a", { state: "done", endedAt: Date.now() }));
    });
    await page.until(() => page.messages.flat().length >= 2);
    expect(page.messages.flat()).toMatchObject([
      { id: "other", state: "running" },
      { id: "a", state: "done" },
    ]);
  });

  it("passes on nothing while nobody listens, and tells a new page what it remembers: the last 50 [FEED-2]", async () => {
    await runInDurableObject(feed, (instance) => {
      for (let n = 1; n <= 60; n += 1) instance.report(report(`download ${n}`));
      instance.report(report("download 12", { state: "done", endedAt: Date.now() }));
    });
    const page = await FeedPage.open(person);
    const [remembered = []] = page.messages;
    expect(remembered).toHaveLength(50);
    expect(idsOf(remembered).slice(0, 2)).toEqual(["download 11", "download 13"]);
    expect(remembered.at(-1)).toMatchObject({ id: "download 12", state: "done" });
    await feed.report(report("next"));
    await page.until(() => page.messages.length > 1);
    expect(idsOf(page.messages[1] ?? [])).toEqual(["next"]);
  });

  it("remembers nothing after it was evicted, and still reaches its pages", async () => {
    const page = await FeedPage.open(person);
    await feed.report(report("a"));
    await page.until(() => page.messages.length > 1);
    await evictDurableObject(feed);
    await feed.report(report("a", { state: "done", endedAt: Date.now() }));
    await page.until(() => page.messages.length > 2);
    expect(page.messages[2]).toMatchObject([{ id: "a", state: "done" }]);
    await evictDurableObject(feed);
    expect((await FeedPage.open(person)).messages).toEqual([[]]);
    expect(await runInDurableObject(feed, (_instance, { storage }) => storage.list())).toEqual(new Map());
  });

  it("tells that a download broke off once its next part has not come", async () => {
    const begin = Date.now();
    const endedAt = begin - 30_000 + 200;
    await feed.report({
      ...report("a", { state: "done", startedAt: endedAt, endedAt }),
      isPart: true,
      reachesEnd: false,
    });
    stopClockAt(begin);
    const page = await FeedPage.open(person);
    expect(page.messages).toMatchObject([[{ id: "a", state: "running" }]]);
    stopClockAt(begin + 200);
    await page.until(() => page.messages.length > 1);
    expect(page.messages[1]).toMatchObject([{ id: "a", state: "broken", endedAt }]);
  });
});

describe("the socket of an account's feed", () => {
  it("is closed when the page sends anything [FEED-3]", async () => {
    const page = await FeedPage.open(person);
    page.send("{}");
    expect(await page.closed).toEqual({ code: 1008, reason: "This socket takes no messages." });
  });

  it("is only for our own pages, and only for a WebSocket", async () => {
    expect((await connectFeed(person, { origin: "https://evil.example" })).status).toBe(403);
    expect((await connectFeed(person, { origin: env.APP_ORIGIN })).status).toBe(101);
    expect((await person.fetch("/ws/account")).status).toBe(426);
    const response = await connectFeed(new Client());
    expect([response.status, await response.json()]).toMatchObject([401, { code: "UNAUTHORIZED" }]);
  });

  it("does not believe a forged admission", async () => {
    const stranger = await signUp();
    const forged = feedRequest(new Request(env.APP_ORIGIN), { sessionId: "any", max: null }).headers;
    expect((await connectFeed(new Client(), forged)).status).toBe(401);
    const owner = limited(stranger.cookie);
    for (let n = 1; n <= 5; n += 1) expect((await connectFeed(owner, forged)).status).toBe(101);
    expect((await connectFeed(owner, forged)).status).toBe(429);
  });

  it("is one of five: a sixth is 429, until another closes [FEED-3]", async () => {
    const owner = limited(person.cookie);
    const pages: FeedPage[] = [];
    for (let n = 1; n <= 5; n += 1) pages.push(await FeedPage.open(owner));
    const refused = await connectFeed(owner);
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "RATE_LIMITED" }]);
    expect((await connectFeed(limited((await signUp()).cookie))).status).toBe(101);
    pages[0]?.close();
    expect((await pages[0]?.closed)?.code).toBe(1000);
    await expect.poll(async () => (await connectFeed(owner)).status).toBe(101);
  });

  it("has no limit where limits are off", async () => {
    for (let n = 1; n <= 7; n += 1) expect((await connectFeed(person)).status).toBe(101);
  });

  it("does not count the sockets of sessions that have ended", async () => {
    const owner = limited(person.cookie);
    for (let n = 1; n <= 5; n += 1) await FeedPage.open(owner);
    await runSql("delete from sessions where user_id = ?", person.id);
    expect((await connectFeed(limited((await logIn(person.email)).cookie))).status).toBe(101);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ["signing out", (owner) => owner.post("/api/auth/logout", {})],
    ["signing out everywhere else", async ({ email }) => (await logIn(email)).delete("/api/auth/sessions")],
    ["a session that has expired", ({ id }) => runSql("update sessions set expires_at = 1 where user_id = ?", id)],
  ])("is told nothing after %s [FEED-3]", async (_what, end) => {
    const page = await FeedPage.open(person);
    await end(person);
    await feed.report(report("secret"));
    expect(await page.closed).toEqual({ code: 1008, reason: "The session has ended." });
    expect(page.messages).toEqual([[]]);
  });
});
