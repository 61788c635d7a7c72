import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isKey } from "#domain/api-keys.ts";
import worker from "#worker/index.ts";
import type { ListedKey, MadeKey } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { mailsTo } from "../support/mails.ts";
import { answerOf, putOnPlan, rowOf, runSql, sha256Of, signUp, stopClockAt } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const DAY_MS = 86_400_000;
const services = servicesFor(env);

let person: Person;

beforeEach(async () => {
  person = await signUp();
});

afterEach(() => {
  vi.useRealTimers();
});

async function makeKey(body: Record<string, unknown> = {}, by = person): Promise<MadeKey> {
  const response = await by.post("/api/keys", { name: "Backups", scopes: ["upload"], ...body });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function listKeys(by = person): Promise<ListedKey[]> {
  return (await by.fetch("/api/keys")).json();
}

async function runCron(): Promise<void> {
  await worker.scheduled(createScheduledController(), env);
}

describe("making a key", () => {
  it("answers the key once; the table has its hash alone [KEY-1]", async () => {
    const { key, ...listed } = await makeKey({ expiresIn: "90d" });
    expect(isKey(key)).toBe(true);
    expect(listed).toMatchObject({
      name: "Backups",
      lastFour: key.slice(-4),
      scopes: ["upload"],
      hasRunOut: false,
      lastUsedAt: null,
      lastUsedAddress: null,
      limits: { callsPerMinute: 300, monthBytes: null, largestFileBytes: null },
      browserUse: false,
      source: "page",
    });
    expect(Date.parse(listed.expiresAt ?? "") - Date.parse(listed.createdAt)).toBe(90 * DAY_MS);
    expect(await listKeys()).toEqual([listed]);
    const row = await rowOf<Record<string, unknown>>("select * from api_keys where id = ?", listed.id);
    expect(row.key_hash).toBe(await sha256Of(new TextEncoder().encode(key)));
    expect(JSON.stringify(row)).not.toContain(key.slice(7, -4));
  });

  it("mails its owner what it is called, what it may do, and how long [KEY-13]", async () => {
    stopClockAt(Date.UTC(2027, 0, 1, 12));
    person = await signUp();
    const { key } = await makeKey({ name: "The <b>server</b>", scopes: ["upload", "files:write"], expiresIn: "30d" });
    const [mail, ...others] = await mailsTo(person.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("A new API key for Mayfly");
    for (const words of [
      "The <b>server</b>",
      key.slice(-4),
      "31 January 2027",
      "send files",
      "change, mail and delete",
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.text).not.toContain(key);
  });

  it.each([
    [{ name: " " }, "name", "Give the key a name."],
    [{ name: "x".repeat(61) }, "name", "A name has at most 60 characters."],
    [{ scopes: [] }, "scopes", "Choose what the key may do."],
    [
      { scopes: ["upload", "account"] },
      "scopes.1",
      "scopes.1 must be one of upload, files:read, files:write, requests.",
    ],
    [{ expiresIn: "2y" }, "expiresIn", "expiresIn must be one of 7d, 30d, 90d, 1y, never."],
    [{ limits: { callsPerMinute: 301 } }, "limits.callsPerMinute", "limits.callsPerMinute must be at most 300."],
    [{ limits: { monthBytes: 0 } }, "limits.monthBytes", "limits.monthBytes must be at least 1."],
  ])("is refused with %j", async (body, field, message) => {
    const [status, answer] = await answerOf(person.post("/api/keys", { name: "Backups", scopes: ["upload"], ...body }));
    expect([status, answer]).toMatchObject([400, { code: "BAD_REQUEST", field, message }]);
    expect(await listKeys()).toEqual([]);
  });

  it.each([
    ["free", 5],
    ["professional", 25],
  ] as const)("is refused on the %s plan after %i that live, also in parallel [KEY-12]", async (plan, max) => {
    await putOnPlan(person.email, plan);
    const made = await Promise.all(Array.from({ length: max - 1 }, () => makeKey()));
    const calls = Array.from({ length: 3 }, () => person.post("/api/keys", { name: "One more", scopes: ["upload"] }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 403, 403]);
    const refusal = await answerOf(person.post("/api/keys", { name: "One more", scopes: ["upload"] }));
    expect(refusal).toMatchObject([
      403,
      {
        code: "PLAN_LIMIT_EXCEEDED",
        planLimitExceeded: true,
        message: `You have ${max} API keys, the maximum of your plan. Revoke one first.`,
      },
    ]);
    await person.delete(`/api/keys/${made[0]?.id ?? ""}`);
    await makeKey();
    await runSql("update api_keys set expires_at = 1 where id = ?", made[1]?.id);
    await makeKey();
  });
});

describe("a key", () => {
  it("gets another name and other limits, and keeps what is not named [KEY-17]", async () => {
    const { id } = await makeKey();
    const limits = { monthBytes: 5000, largestFileBytes: 400 };
    await person.patch(`/api/keys/${id}`, { limits });
    await person.patch(`/api/keys/${id}`, { name: "Nightly" });
    const [status, changed] = await answerOf(person.patch(`/api/keys/${id}`, { limits: { largestFileBytes: null } }));
    expect([status, changed]).toMatchObject([
      200,
      { name: "Nightly", limits: { callsPerMinute: 300, monthBytes: 5000, largestFileBytes: null } },
    ]);
    expect(await listKeys()).toEqual([changed]);
    expect(await answerOf(person.patch(`/api/keys/${id}`, { limits: {} }))).toMatchObject([
      400,
      { message: "Send name or limits." },
    ]);
  });

  it("is nobody else's to see, change or revoke [KEY-17]", async () => {
    const { id } = await makeKey();
    const other = await signUp();
    expect(await listKeys(other)).toEqual([]);
    const unknown = [404, { code: "NOT_FOUND", message: "You have no such API key." }];
    expect(await answerOf(other.patch(`/api/keys/${id}`, { name: "Mine" }))).toEqual(unknown);
    expect(await answerOf(other.delete(`/api/keys/${id}`))).toEqual(unknown);
    expect(await listKeys()).toMatchObject([{ id, name: "Backups" }]);
  });

  it("is gone from the list once it is revoked, which may come twice", async () => {
    const { id } = await makeKey();
    for (const status of [200, 200]) expect((await person.delete(`/api/keys/${id}`)).status).toBe(status);
    expect(await listKeys()).toEqual([]);
    expect((await person.patch(`/api/keys/${id}`, { name: "Back" })).status).toBe(404);
  });

  it("goes with its account, at once", async () => {
    await makeKey();
    expect(
      (
        await person.fetch("/api/auth/account", {
          method: "DELETE",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ password: "a good password" }),
        })
      ).status,
    ).toBe(202);
    expect(await rowOf("select count(*) as n from api_keys where user_id = ?", person.id)).toEqual({ n: 0 });
  });
});

describe("the end of a key", () => {
  it("is mailed a week before, once, and never of a key of seven days or one that was revoked [KEY-13]", async () => {
    const start = Date.UTC(2027, 0, 1, 12);
    stopClockAt(start);
    person = await signUp();
    await makeKey({ name: "Long", expiresIn: "30d" });
    await makeKey({ name: "Short", expiresIn: "7d" });
    await makeKey({ name: "Endless", expiresIn: "never" });
    const { id } = await makeKey({ name: "Revoked", expiresIn: "30d" });
    await person.delete(`/api/keys/${id}`);
    const reminders = async () =>
      (await mailsTo(person.email)).filter(({ subject }) => subject === "An API key for Mayfly runs out soon");
    stopClockAt(start + 23 * DAY_MS - 1);
    await runCron();
    expect(await reminders()).toEqual([]);
    stopClockAt(start + 23 * DAY_MS);
    await Promise.all([runCron(), runCron()]);
    stopClockAt(start + 24 * DAY_MS);
    await runCron();
    const mails = await reminders();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("“Long”");
    expect(mails[0]?.text).toContain("31 January 2027");
  });

  it("is seen in the list for 30 days, and then the row is deleted [KEY-18]", async () => {
    const now = Date.now();
    const { id } = await makeKey();
    const revoked = await makeKey();
    await person.delete(`/api/keys/${revoked.id}`);
    const endedBefore = (ms: number) =>
      runSql(
        "update api_keys set expires_at = ?1, revoked_at = iif(revoked_at is null, null, ?1) where user_id = ?2",
        now - ms,
        person.id,
      );
    const left = () => rowOf("select count(*) as n from api_keys where user_id = ?", person.id);
    expect(await listKeys()).toMatchObject([{ id, hasRunOut: false }]);
    await endedBefore(30 * DAY_MS - 1);
    await applyRetention(services, now);
    expect(await listKeys()).toMatchObject([{ id, hasRunOut: true }]);
    expect(await left()).toEqual({ n: 2 });
    await endedBefore(30 * DAY_MS);
    await applyRetention(services, now);
    expect(await left()).toEqual({ n: 0 });
  });
});
