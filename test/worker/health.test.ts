import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Health } from "#domain/wire.ts";
import { recordQueryCost } from "../support/query-cost.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { withMethod, workerWith } from "../support/worker-with-env.ts";
import { runSql } from "../support/worker.ts";

const MINUTE = 60_000;
const NAMES = ["database", "storage", "durableObjects", "queues", "cron", "chores", "mail", "orphans", "scanner"];

beforeEach(async () => {
  vi.restoreAllMocks();
  for (const table of ["sweep_runs", "mail_outbox", "suspected_orphans", "reconciliations"]) {
    await runSql(`delete from ${table}`);
  }
});

async function read(settings: Env = env): Promise<{ status: number; health: Health; wrong: string[]; text: string }> {
  const response = await workerWith(settings)(new Request(new URL("/api/health", env.APP_ORIGIN)));
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  const health = JSON.parse(text) as Health;
  const wrong = Object.entries(health.checks).flatMap(([name, check]) => (check.ok ? [] : [name]));
  expect(health.ok).toBe(wrong.length === 0);
  expect(response.status).toBe(health.ok ? 200 : 503);
  return { status: response.status, health, wrong, text };
}

/** A run of the cron so many minutes ago. */
async function ran(minutesAgo: number, failed = ""): Promise<void> {
  await runSql(
    `insert into sweep_runs (id, started_at, duration_ms, expired_files, abandoned_uploads, leftovers, removed_accounts, failed)
     values (?, ?, 10, 0, 0, 0, 0, ?)`,
    crypto.randomUUID(),
    Date.now() - minutesAgo * MINUTE,
    failed,
  );
}

async function waits(to: string, attempts: number, dueInMinutes: number): Promise<void> {
  await runSql(
    `insert into mail_outbox (id, "to", subject, html, text, attempts, next_attempt_at, created_at)
     values (?1, ?2, 's', 'h', 't', ?3, ?4, ?4)`,
    crypto.randomUUID(),
    to,
    attempts,
    Date.now() + dueInMinutes * MINUTE,
  );
}

/** What the log says of the failed checks. */
async function reasons(settings?: Env): Promise<string[]> {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await read(settings);
  return logged.mock.calls.flatMap(([line]) => {
    const { event, error } = JSON.parse(String(line)) as { event: string; error: string };
    return event === "health.failed" ? [error] : [];
  });
}

it("checks each row of the table, and measures it", async () => {
  await ran(1);
  const check = { ok: true, ms: expect.any(Number) as number };
  const { health } = await read();
  expect(health).toEqual({ ok: true, checks: Object.fromEntries(NAMES.map((name) => [name, check])), warnings: [] });
});

const LATE = { backlogCount: 1, backlogBytes: 100, oldestMessageTimestamp: new Date(Date.now() - 16 * MINUTE) };
const DEAD = { backlogCount: 1, backlogBytes: 100, oldestMessageTimestamp: new Date() };

it.each<[string, Partial<Env>]>([
  ["database", { DB: interceptQueries(env.DB, failing) }],
  ["storage", { BUCKET: withMethod(env.BUCKET, "head", failing) }],
  ["queues", { DOWNLOADS: withMethod(env.DOWNLOADS, "metrics", () => Promise.resolve(LATE)) }],
  ["queues", { WEBHOOKS: withMethod(env.WEBHOOKS, "metrics", () => Promise.resolve(LATE)) }],
  ["queues", { DEAD_LETTERS: withMethod(env.DEAD_LETTERS, "metrics", () => Promise.resolve(DEAD)) }],
  ["durableObjects", { LIMITERS: withMethod(env.LIMITERS, "get", failing) }],
])("answers 503 and names the %s if it fails", async (name, broken) => {
  for (const RATE_LIMITS of ["on", "off"]) {
    const { wrong, health } = await read({ ...env, ...broken, RATE_LIMITS });
    expect(wrong).toEqual([name]);
    // What reads rows is unknown without a database.
    expect(Object.keys(health.checks)).toEqual(name === "database" ? NAMES.slice(0, 4) : NAMES);
  }
});

function failing(): never {
  throw new Error("it is down");
}

describe("the cron", () => {
  it("is silent after five minutes [OPS-4]", async () => {
    await ran(4);
    expect((await read()).wrong).toEqual([]);
    await runSql("update sweep_runs set started_at = ?", Date.now() - 5 * MINUTE);
    expect((await read()).wrong).toEqual(["cron"]);
    expect((await reasons()).join()).toMatch(/the cron last ran at 20\d\d-.*Z/);
  });

  it("that never ran is no fault of a development server, and one of a deployment", async () => {
    expect((await read()).wrong).toEqual([]);
    const production = { ...env, APP_ENV: "production", RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare" } as Env;
    expect((await read(production)).wrong).toEqual(["cron"]);
  });

  it("has a chore that fails when the chore failed in five runs in a row", async () => {
    for (const minutesAgo of [5, 3, 2, 1]) await ran(minutesAgo, "mail,sweep");
    await ran(4, "months");
    expect((await read()).wrong).toEqual([]);
    await runSql("update sweep_runs set failed = 'months,sweep' where failed = 'months'");
    expect((await read()).wrong).toEqual(["chores"]);
    expect((await reasons()).join()).toContain("failed in 5 runs in a row: sweep");
  });
});

describe("mail", () => {
  it("fails when one has been due for a quarter of an hour [OPS-4]", async () => {
    await waits("a@example.com", 0, -14);
    expect((await read()).wrong).toEqual([]);
    await waits("b@example.com", 0, -15);
    expect((await read()).wrong).toEqual(["mail"]);
  });

  it("fails when queues do not bring one, though the cron puts it off, and not for one that waits for tomorrow", async () => {
    await waits("a@example.com", 0, -20);
    await runSql("update mail_outbox set next_attempt_at = ?", Date.now() + 5 * MINUTE);
    expect((await read()).wrong).toEqual(["mail"]);
    await runSql("update mail_outbox set failure = 'the day is full', next_attempt_at = ?", Date.now() + 300 * MINUTE);
    expect((await read()).wrong).toEqual([]);
  });

  it("leaves out those that were given up", async () => {
    for (const name of ["a", "b", "c"]) await waits(`${name}@example.com`, 15, -20);
    expect((await read()).wrong).toEqual(["mail"]);
    await runSql("update mail_outbox set refused_at = 1, failure = 'E_RECIPIENT_SUPPRESSED'");
    expect((await read()).wrong).toEqual([]);
  });

  it("fails when three addresses were refused three times, and not for one bad address", async () => {
    for (let n = 0; n < 5; n += 1) await waits("gone@example.com", 9, 60);
    await waits("b@example.com", 3, 60);
    await waits("c@example.com", 2, 60);
    expect((await read()).wrong).toEqual([]);
    await waits("d@example.com", 3, 60);
    const { wrong, text } = await read();
    expect(wrong).toEqual(["mail"]);
    // Strangers hear no address and no number.
    expect(text).not.toMatch(/example|refused|\b3\b.*addresses/);
    expect((await reasons()).join()).toContain("mails to 3 addresses are refused");
  });
});

it("fails for orphans while a reconciliation has stopped because of them [OPS-4]", async () => {
  const at = Date.now();
  await runSql("insert into suspected_orphans (s3_key, size_bytes, first_seen_at) values ('files/x', 1, ?)", at);
  await runSql("insert into reconciliations (id, started_at, finished_at) values ('r', ?, ?)", at, at);
  expect((await read()).wrong).toEqual([]);
  await runSql("update reconciliations set stopped_at = ?", at);
  expect((await read()).wrong).toEqual(["orphans"]);
  await runSql("update suspected_orphans set approved_at = ?", at);
  expect((await read()).wrong).toEqual([]);
});

it("reads few rows, however many mails, orphans and runs there are", async () => {
  const many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)";
  await runSql(
    `insert into mail_outbox (id, "to", subject, html, text, attempts, next_attempt_at, created_at)
     ${many} select 'm' || i, 'a', 's', 'h', 't', 1, ? + i, 0 from n`,
    Date.now() + MINUTE,
  );
  await runSql(
    `insert into suspected_orphans (s3_key, size_bytes, first_seen_at) ${many} select 'files/' || i, 1, i from n`,
  );
  await runSql(
    `insert into sweep_runs (id, started_at, duration_ms, expired_files, abandoned_uploads, leftovers, removed_accounts, failed)
     ${many} select 'r' || i, ? - i, 1, 0, 0, 0, 0, '' from n`,
    Date.now(),
  );
  const { DB, measure } = recordQueryCost(env.DB);
  expect((await read({ ...env, DB })).wrong).toEqual([]);
  expect((await measure()).rows).toBeLessThan(450);
});
