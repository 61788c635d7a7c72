import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { ListedWebhook, WebhookWithSecret } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { findWebhook, replaceSealedSecrets } from "#worker/db/webhooks.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { resealSecrets } from "#worker/sweep/reseal.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { mailsTo } from "../support/browser.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { addWebhook, deliveriesOf, isSigned, ReceiverInbox } from "../support/webhooks.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, putOnPlan, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const URL_OF_ONE = "https://hooks.example.org/one";

let owner: Awaited<ReturnType<typeof signUp>>;
beforeEach(async () => {
  owner = await signUp();
});

const list = async () => (await owner.fetch("/api/webhooks")).json<ListedWebhook[]>();
const count = (table: string) => rowOf<{ n: number }>(`select count(*) as n from ${table}`);

describe("a webhook", () => {
  it("is added with a secret that is shown once and stored sealed [HOOK-1]", async () => {
    const [status, added] = await answerOf(
      owner.post("/api/webhooks", { url: ` ${URL_OF_ONE} `, events: ["transfer.expired", "transfer.uploaded"] }),
    );
    expect(status).toBe(201);
    const { secret, ...shown } = added as unknown as WebhookWithSecret;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      id: expect.any(String) as string,
      url: URL_OF_ONE,
      events: ["transfer.uploaded", "transfer.expired"],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      enabled: true,
      failingSince: null,
      formerUntil: null,
    });
    expect(await list()).toEqual([shown]);
    const row = await rowOf<{ secret: string }>("select secret from webhooks where id = ?", shown.id);
    expect(row.secret).not.toContain(secret.slice(6, 20));
  });

  it.each([
    [{}, "url", "Enter the address of the receiver, with at most 2000 characters."],
    [{ url: URL_OF_ONE, events: [] }, "events", "Choose at least one event."],
    [{ url: "hooks.example.org", events: ["transfer.uploaded"] }, "url", "Enter the receiver's whole address"],
    [{ url: `https://a.example/${"a".repeat(2000)}`, events: ["transfer.uploaded"] }, "url", "at most 2000 characters"],
    [{ url: URL_OF_ONE, events: ["ping"] }, "events", ""],
    [{ url: URL_OF_ONE, events: ["transfer.uploaded", "request.opened"] }, "events", ""],
  ])("is not added with %j", async (body, field, message) => {
    const [status, answer] = await answerOf(owner.post("/api/webhooks", body));
    expect([status, answer.code]).toEqual([400, "BAD_REQUEST"]);
    expect(String(answer.field)).toMatch(new RegExp(`^${field}`));
    expect(answer.message).toContain(message);
    expect(await list()).toEqual([]);
  });

  it.each([
    ["http://hooks.example.org/", "has to begin with https://"],
    ["https://hooks.example.org:8443/", "port 443"],
    ["https://127.0.0.1/", "public host name"],
    ["https://printer.local/", "public host name"],
    ["https://user:word@hooks.example.org/", "user name"],
    [`${env.APP_ORIGIN.replace("http:", "https:").replace(":8787", "")}/hook`, "cannot call this site"],
  ])("is not added in production with %s [HOOK-2]", async (url, message) => {
    const production = { ...env, APP_ENV: "production", RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare" };
    const client = clientFrom("192.0.2.7", production, owner.cookie);
    const [status, answer] = await answerOf(client.post("/api/webhooks", { url, events: ["transfer.uploaded"] }));
    expect([status, answer.field]).toEqual([400, "url"]);
    expect(answer.message).toContain(message);
    const { id } = await addWebhook(owner, URL_OF_ONE);
    expect((await client.patch(`/api/webhooks/${id}`, { url })).status).toBe(400);
    expect(await list()).toMatchObject([{ url: URL_OF_ONE }]);
  });

  it("counts against the plan, also when several are added at once [HOOK-1]", async () => {
    const add = () => owner.post("/api/webhooks", { url: URL_OF_ONE, events: ["transfer.uploaded"] });
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await add()).status));
    expect(statuses.sort()).toEqual([201, 403, 403, 403]);
    await putOnPlan(owner.email, "professional");
    const more = await Promise.all(Array.from({ length: 8 }, async () => (await add()).status));
    expect(more.sort()).toEqual([201, 201, 201, 201, 403, 403, 403, 403]);
    expect(await list()).toHaveLength(5);
    const [, refused] = await answerOf(add());
    expect(refused).toMatchObject({
      code: "PLAN_LIMIT_EXCEEDED",
      message: "Your plan has 5 webhooks. Delete one first.",
      planLimitExceeded: true,
    });
  });

  it("changes its address and its events [HOOK-1]", async () => {
    const { id } = await addWebhook(owner, URL_OF_ONE);
    const other = "https://hooks.example.org/other";
    await owner.patch(`/api/webhooks/${id}`, { url: other });
    const [status, changed] = await answerOf(owner.patch(`/api/webhooks/${id}`, { events: ["transfer.deleted"] }));
    expect(status).toBe(200);
    expect(changed).toMatchObject({ url: other, events: ["transfer.deleted"], enabled: true });
    expect(changed).not.toHaveProperty("secret");
  });

  describe("is mailed to its owner, and is in the list of what happened,", () => {
    const MADE = "A new webhook for your Mayfly account / Neuer Webhook für dein Mayfly-Konto";
    const MOVED =
      "A webhook of your Mayfly account has a new address / Ein Webhook deines Mayfly-Kontos hat eine neue Adresse";
    const eventsOf = async () => {
      const events = await (await owner.fetch("/api/auth/events")).json<{ kind: string }[]>();
      return events.map(({ kind }) => kind).filter((kind) => kind.startsWith("webhook."));
    };
    const subjects = async () => (await mailsTo(owner.email)).map(({ subject }) => subject);

    it("when it is made [HOOK-11]", async () => {
      await addWebhook(owner, URL_OF_ONE);
      const [mail = { subject: "", text: "" }, ...others] = await mailsTo(owner.email);
      expect([mail.subject, others]).toEqual([MADE, []]);
      expect(mail.text).toContain(
        "A webhook was just added to your account. From now on, https://hooks.example.org/one",
      );
      expect(mail.text).toContain("Zu deinem Konto wurde gerade ein Webhook hinzugefügt.");
      expect(await eventsOf()).toEqual(["webhook.added"]);
    });

    it("when its address changes, and not when anything else does [HOOK-11]", async () => {
      const { id } = await addWebhook(owner, URL_OF_ONE);
      for (const change of [{ url: URL_OF_ONE }, { events: ["transfer.deleted"] }, { enabled: false }]) {
        expect((await owner.patch(`/api/webhooks/${id}`, change)).status).toBe(200);
      }
      expect([await subjects(), await eventsOf()]).toEqual([[MADE], ["webhook.added"]]);
      await owner.patch(`/api/webhooks/${id}`, { url: "https://hooks.example.org/other" });
      const [mail, ...others] = (await mailsTo(owner.email)).filter(({ subject }) => subject !== MADE);
      expect([mail?.subject, others]).toEqual([MOVED, []]);
      expect(mail?.text).toContain("From now on, https://hooks.example.org/other is told");
      expect(await eventsOf()).toEqual(["webhook.moved", "webhook.added"]);
    });

    it("but not where nothing was made or changed", async () => {
      await addWebhook(owner, URL_OF_ONE);
      expect((await owner.post("/api/webhooks", { url: URL_OF_ONE, events: ["transfer.uploaded"] })).status).toBe(403);
      const stranger = await signUp();
      const { id } = await addWebhook(stranger, URL_OF_ONE);
      expect((await owner.patch(`/api/webhooks/${id}`, { url: "https://hooks.example.org/o" })).status).toBe(404);
      expect([await subjects(), await eventsOf()]).toEqual([[MADE], ["webhook.added"]]);
      expect((await mailsTo(stranger.email)).map(({ subject }) => subject)).toEqual([MADE]);
    });

    it("and is neither made nor moved while the mail cannot be saved", async () => {
      const { id } = await addWebhook(owner, URL_OF_ONE);
      await putOnPlan(owner.email, "professional");
      const DB = interceptQueries(env.DB, (queries, go) => {
        if (queries.some(({ text }) => text.startsWith('insert into "mail_outbox"'))) throw new Error("refused");
        return go();
      });
      const client = clientFrom("192.0.2.8", { ...env, DB }, owner.cookie);
      const url = "https://hooks.example.org/other";
      expect((await client.patch(`/api/webhooks/${id}`, { url })).status).toBe(500);
      expect((await client.post("/api/webhooks", { url, events: ["transfer.uploaded"] })).status).toBe(500);
      expect(await list()).toMatchObject([{ id, url: URL_OF_ONE }]);
    });
  });

  it("that is switched off is told of nothing, and what waited has failed", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url, ["transfer.deleted"]);
    const [file, later] = [await sendFile(owner, "one"), await sendFile(owner, "two")];
    await owner.delete(`/api/files/${file.uploadId}`);
    expect(await deliveriesOf(owner, id)).toMatchObject([{ state: "waiting" }]);
    expect(await answerOf(owner.patch(`/api/webhooks/${id}`, { enabled: false }))).toMatchObject([
      200,
      { enabled: false },
    ]);
    await owner.delete(`/api/files/${later.uploadId}`);
    expect(await deliveriesOf(owner, id)).toMatchObject([{ state: "failed", nextAttemptAt: null }]);
    for (const call of ["ping", `deliveries/${(await deliveriesOf(owner, id))[0]?.id}/retry`]) {
      const [status, answer] = await answerOf(owner.post(`/api/webhooks/${id}/${call}`, {}));
      expect([status, answer.code]).toEqual([409, "WEBHOOK_DISABLED"]);
    }
    await runSql("update webhooks set failing_since = 1 where id = ?", id);
    expect((await owner.patch(`/api/webhooks/${id}`, { enabled: true })).status).toBe(200);
    expect(await list()).toMatchObject([{ enabled: true, failingSince: null }]);
  });

  it("is deleted with its deliveries [HOOK-1]", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url);
    await owner.post(`/api/webhooks/${id}/ping`, {});
    expect((await owner.delete(`/api/webhooks/${id}`)).status).toBe(200);
    expect((await owner.delete(`/api/webhooks/${id}`)).status).toBe(404);
    expect(await rowOf("select count(*) as n from webhook_deliveries where webhook_id = ?", id)).toEqual({ n: 0 });
  });

  it("is deleted when the deletion of its owner begins, and none is added afterwards", async () => {
    await addWebhook(owner, new ReceiverInbox().url);
    await sendFile(owner, "one");
    const before = await count("webhooks");
    expect(
      (
        await owner.fetch("/api/auth/account", {
          method: "DELETE",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ password: "a good password" }),
        })
      ).status,
    ).toBe(202);
    expect(await count("webhooks")).toEqual({ n: before.n - 1 });
    expect(await rowOf("select count(*) as n from webhooks where user_id = ?", owner.id)).toEqual({ n: 0 });
  });
});

describe("a ping", () => {
  it("is signed, and its answer is told [HOOK-5]", async () => {
    const inbox = new ReceiverInbox();
    const { id, secret } = await addWebhook(owner, inbox.url);
    const [status, ping] = await answerOf(owner.post(`/api/webhooks/${id}/ping`, {}));
    expect([status, ping.state, ping.attempts, ping.lastStatus]).toEqual([200, "delivered", 1, 204]);
    const [request] = await inbox.received(1);
    expect(request).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Mayfly-Webhooks/1.0", "webhook-id": ping.eventId },
    });
    expect(request && isSigned(request, secret)).toBe(true);
    expect(request && isSigned(request, `whsec_${btoa("another secret of a receiver")}`)).toBe(false);
    expect(await inbox.bodies(1)).toEqual([{ type: "ping", timestamp: ping.createdAt, data: { webhookId: id } }]);
  });

  it("that fails is not tried again, and says nothing about the events", async () => {
    const inbox = new ReceiverInbox();
    await inbox.answerNext({ status: 410 });
    const { id } = await addWebhook(owner, inbox.url);
    const [, ping] = await answerOf(owner.post(`/api/webhooks/${id}/ping`, {}));
    expect(ping).toMatchObject({ state: "failed", lastStatus: 410, nextAttemptAt: null });
    expect(await list()).toMatchObject([{ enabled: true, failingSince: null }]);
  });
});

describe("a new secret", () => {
  it("signs beside the former one for a day [HOOK-5]", async () => {
    const inbox = new ReceiverInbox();
    const { id, secret: former } = await addWebhook(owner, inbox.url);
    const rotated = await (await owner.post(`/api/webhooks/${id}/rotate`, {})).json<WebhookWithSecret>();
    expect(rotated.secret).not.toBe(former);
    const formerUntil = Date.parse(rotated.formerUntil ?? "");
    expect(formerUntil - Date.now()).toBeLessThanOrEqual(DAY_MS);
    expect(formerUntil - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    await owner.post(`/api/webhooks/${id}/ping`, {});
    const [both] = await inbox.received(1);
    expect(both && [isSigned(both, former), isSigned(both, rotated.secret)]).toEqual([true, true]);

    await runSql("update webhooks set former_until = ? where id = ?", Date.now(), id);
    await owner.post(`/api/webhooks/${id}/ping`, {});
    const [, one] = await inbox.received(2);
    expect(one && [isSigned(one, former), isSigned(one, rotated.secret)]).toEqual([false, true]);
    expect(await list()).toMatchObject([{ formerUntil: null }]);
  });

  it("has to be made once DATA_KEY has changed and the former one is gone", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url);
    const changed = { ...env, DATA_KEY: "another data key that is long enough" };
    const client = clientFrom("192.0.2.8", changed, owner.cookie);
    const ping = async () => (await answerOf(client.post(`/api/webhooks/${id}/ping`, {})))[1];
    expect(await ping()).toMatchObject({ state: "failed", lastStatus: null, lastError: "secret" });
    await client.post(`/api/webhooks/${id}/rotate`, {});
    expect(await ping()).toMatchObject({ state: "delivered" });
  });
});

describe("secrets under the former DATA_KEY", () => {
  const RENEWED = { ...env, DATA_KEY: "another data key that is long enough", DATA_KEY_FORMER: env.DATA_KEY };
  const sealed = (id: string) =>
    rowOf<{ secret: string; former: string }>("select secret, former_secret as former from webhooks where id = ?", id);

  it("still sign, are sealed anew by the cron, and need the former key no more [HOOK-10]", async () => {
    const inbox = new ReceiverInbox();
    const { id, secret: former } = await addWebhook(owner, inbox.url);
    const { secret } = await (await owner.post(`/api/webhooks/${id}/rotate`, {})).json<WebhookWithSecret>();
    const before = await sealed(id);
    const ping = (settings: object) =>
      clientFrom("192.0.2.9", { ...env, ...settings }, owner.cookie).post(`/api/webhooks/${id}/ping`, {});
    await ping(RENEWED);

    await runHousekeeping(servicesFor(RENEWED), Date.now);
    const after = await sealed(id);
    const keyOf = (text: string) => text.split(".")[0];
    expect(keyOf(before.former)).toBe(keyOf(before.secret));
    expect(keyOf(after.former)).toBe(keyOf(after.secret));
    expect(keyOf(after.secret)).not.toBe(keyOf(before.secret));
    expect(await resealSecrets(servicesFor(RENEWED))).toBe(0);

    await ping({ DATA_KEY: RENEWED.DATA_KEY });
    for (const request of await inbox.received(2)) {
      expect([isSigned(request, secret), isSigned(request, former)]).toEqual([true, true]);
    }
  });

  it("that somebody renews meanwhile stay as they were renewed", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url);
    const row = await findWebhook(servicesFor(env).db, owner.id, id);
    if (!row) throw new Error("no webhook");
    await owner.post(`/api/webhooks/${id}/rotate`, {});
    const renewed = await sealed(id);
    const old = { secret: "sealed.before.it", formerSecret: null };
    expect(await replaceSealedSecrets(servicesFor(env).db, row, old)).toBe(false);
    expect(await sealed(id)).toEqual(renewed);
  });

  it("that no key opens stay as they are", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url);
    const { secret } = await sealed(id);
    const broken = `${secret.split(".")[0]}.broken.broken`;
    await runSql("update webhooks set secret = ? where id = ?", broken, id);
    await resealSecrets(servicesFor(RENEWED));
    expect((await sealed(id)).secret).toBe(broken);
    await runSql("delete from webhooks where id = ?", id);
  });
});

describe("the list of deliveries", () => {
  it("comes in pages of 50, newest first, and ends after 30 days [HOOK-9]", async () => {
    const { id } = await addWebhook(owner, new ReceiverInbox().url);
    const now = Date.now();
    const row = `insert into webhook_deliveries
      (id, webhook_id, event_id, type, payload, state, attempts, next_attempt_at, created_at)
      values (?, ?, ?, 'ping', '{}', 'delivered', 1, 0, ?)`;
    const names = Array.from({ length: 120 }, (_, at) => `${id}-${String(at).padStart(3, "0")}`);
    // Two at a time have the same moment.
    await env.DB.batch(
      names.map((name, at) => env.DB.prepare(row).bind(name, id, name, now - 1000 * Math.floor(at / 2))),
    );
    await env.DB.prepare(row)
      .bind(`${id}-old`, id, `${id}-old`, now - 30 * DAY_MS)
      .run();
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const path = `/api/webhooks/${id}/deliveries${cursor === "" ? "" : `?cursor=${cursor}`}`;
      const page: { items: { id: string }[]; next: string | null } = await (await owner.fetch(path)).json();
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next;
    }
    expect([...seen].sort()).toEqual(names);
    expect(seen.slice(0, 4)).toEqual([names[1], names[0], names[3], names[2]]);
    expect((await owner.fetch(`/api/webhooks/${id}/deliveries?cursor=x`)).status).toBe(400);

    await applyRetention(servicesFor(env), now + 1);
    expect(await rowOf("select count(*) as n from webhook_deliveries where webhook_id = ?", id)).toEqual({ n: 120 });
  });
});
