import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from "vitest";
import type { Health, Overview } from "#domain/wire.ts";
import { watchDatabase } from "#worker/diagnostics/database-size.ts";
import worker from "#worker/index.ts";
import { servicesFor } from "#worker/services.ts";
import { createScheduledController } from "cloudflare:test";
import { read } from "../support/admin.ts";
import { mailsTo } from "../support/mails.ts";
import { Client, logInAdmin, rowOf, runSql, stopClockAt } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

const LIMIT_BYTES = 10_000_000;
const small = { ...env, DATABASE_LIMIT_MB: "10" };
const services = servicesFor(small);
const NOON = Date.UTC(2026, 10, 20, 12);

let warn: MockInstance<typeof console.warn>;

beforeEach(async () => {
  warn = vi.spyOn(console, "warn").mockReturnValue();
  stopClockAt(NOON);
  for (const table of ["contact_submissions", "database_days", "database_warnings", "local_mailbox"]) {
    await runSql(`delete from ${table}`);
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function sizeNow(): Promise<number> {
  return (await env.DB.prepare("select 1").run()).meta.size_after;
}

/** Adds rows until the database has this much of its limit. */
async function fillTo(percent: number): Promise<void> {
  while ((await sizeNow()) < (LIMIT_BYTES * percent) / 100) {
    await runSql(
      `insert into contact_submissions (id, name, email, subject, message, is_read, created_at)
       values (hex(randomblob(8)), 'a', 'a', 'a', hex(zeroblob(25000)), 1, ?)`,
      NOON,
    );
  }
}

/** The subjects of the mails to the administrator, and the warnings in the log. */
async function told(): Promise<[subjects: string[], percents: number[]]> {
  const subjects = (await mailsTo("hello@example.com")).map(({ subject }) => subject);
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string; percent: number });
  return [subjects, lines.filter(({ event }) => event === "database.fills").map(({ percent }) => percent)];
}

async function health(): Promise<Health> {
  return (await workerWith(small)(new Request(new URL("/api/health", env.APP_ORIGIN)))).json();
}

it("warns once at 60 and once at 80 percent, by mail, in the log, in the health and on the overview [GROW-2]", async () => {
  const admin = new Client((await logInAdmin()).cookie, workerWith(small));
  const overview = async () => (await read<Overview>(admin, "/api/admin/overview")).database;
  await watchDatabase(services, NOON);
  expect(await told()).toEqual([[], []]);
  expect((await health()).warnings).toEqual([]);

  await fillTo(60);
  const size = await sizeNow();
  // A million bytes in the five and a half days since the 15th began.
  await runSql("insert into database_days values ('2026-11-15', ?)", size - 1_000_000);
  for (let run = 1; run <= 3; run += 1) await watchDatabase(services, NOON);
  const first = ["The database of Mayfly is 60 % full"];
  await expect.poll(told).toEqual([first, [60]]);
  const days = Math.floor(((LIMIT_BYTES - size) / 1_000_000) * 5.5);
  expect(days).toBeGreaterThan(20);
  expect((await mailsTo("hello@example.com"))[0]?.text).toContain(`it is full in ${days} days`);
  const { ok, warnings } = await health();
  expect([ok, warnings]).toEqual([true, [{ what: "database", percent: 60, daysLeft: expect.any(Number) as number }]]);
  expect(await overview()).toMatchObject({ limitBytes: LIMIT_BYTES, percent: 60 });

  await fillTo(81);
  for (let run = 1; run <= 3; run += 1) await watchDatabase(services, NOON);
  await expect.poll(told).toEqual([
    [...first, "The database of Mayfly is 81 % full"],
    [60, 81],
  ]);
});

it("sends one mail when both are reached at once, and warns anew only after it was five percent below", async () => {
  await fillTo(82);
  await watchDatabase(services, NOON);
  await expect.poll(told).toEqual([["The database of Mayfly is 82 % full"], [82]]);
  await runSql("delete from contact_submissions where rowid in (select rowid from contact_submissions limit 8)");
  expect((await sizeNow()) / LIMIT_BYTES).toBeLessThan(0.8);
  expect((await sizeNow()) / LIMIT_BYTES).toBeGreaterThan(0.76);
  await watchDatabase(services, NOON);
  await fillTo(80);
  await watchDatabase(services, NOON);
  expect((await told())[1]).toEqual([82]);

  await runSql("delete from contact_submissions");
  await watchDatabase(services, NOON);
  expect(await rowOf("select count(*) as n from database_warnings")).toEqual({ n: 0 });
  await fillTo(60);
  await watchDatabase(services, NOON);
  expect((await told())[1]).toEqual([82, 60]);
});

it("the cron keeps the size with which a day began, for a year", async () => {
  await runSql("insert into database_days values ('2025-11-19', 1), ('2025-11-20', 2)");
  const run = (at: number) => {
    stopClockAt(at);
    return worker.scheduled(createScheduledController({ scheduledTime: new Date(at) }), small);
  };
  await run(NOON);
  const before = await rowOf<{ bytes: number }>("select bytes from database_days where day = '2026-11-20'");
  expect(before.bytes).toBeGreaterThan(500_000);
  await fillTo(60);
  await run(NOON + 60_000);
  expect(await rowOf("select bytes from database_days where day = '2026-11-20'")).toEqual(before);
  await run(NOON + 86_400_000);
  const { results } = await env.DB.prepare(
    "select day, bytes >= 6000000 as large from database_days order by day",
  ).all();
  expect(results).toEqual([
    { day: "2026-11-20", large: 0 },
    { day: "2026-11-21", large: 1 },
  ]);
});
