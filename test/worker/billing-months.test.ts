// @module-tag long
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { DAY_MS, TIB } from "#domain/units.ts";
import { renewMonths } from "#worker/billing/months.ts";
import { servicesFor } from "#worker/services.ts";
import { signUpManual, planOf } from "../support/manual-billing.ts";
import { payer, stripe, stripeEnv } from "../support/stripe.ts";
import { putIncoming, runSql, Client, monthlyUsage, putOnPlan, rowOf, sendFile, signUp } from "../support/worker.ts";

const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

const mailsTo = (email: string) =>
  rowOf<{ n: number }>('select count(*) as n from mail_outbox where "to" = ?', email).then(({ n }) => n);

/** Makes a user's billing month end a moment ago. */
async function endMonth(email: string): Promise<void> {
  await runSql(
    "update users set current_period_end = ?, current_period_start = ? where email = ?",
    Date.now() - 1,
    Date.now() - 30 * DAY_MS,
    email,
  );
}

describe("a billing month", () => {
  it("a new billing month starts once, even with many uploads and reads at the same time [PRICE-13]", async () => {
    const person = await signUpManual("professional");
    await person.startUpload(1000);
    await endMonth(person.email);
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await person.startUpload(10, { filename: `${index}.txt` });
        if (index % 5 === 0) await planOf(person);
        if (index % 10 === 0) await renewMonths(servicesFor(env), Date.now());
      }),
    );
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 500, transfers: 50 });
    const { start, end } = await rowOf<{ start: number; end: number }>(
      "select current_period_start as start, current_period_end as end from users where email = ?",
      person.email,
    );
    expect(start).toBeLessThanOrEqual(Date.now());
    expect(end).toBeGreaterThan(Date.now());
  });

  it("a read alone or the cron alone starts a new billing month [PRICE-13]", async () => {
    const [reader, idler] = [await signUpManual(), await signUpManual()];
    for (const person of [reader, idler]) {
      await person.startUpload(1000);
      await endMonth(person.email);
    }
    expect((await planOf(reader)).usage).toMatchObject({ transferCount: 0, storageUsed: 0 });
    await renewMonths(servicesFor(env), Date.now());
    expect(await monthlyUsage(idler.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("a billing month that ends on the 31st ends on the last day of shorter months [PRICE-13]", async () => {
    const { email } = await signUpManual();
    const at = (date: string) => Date.parse(`${date}T12:00:00Z`);
    await runSql(
      "update users set created_at = ?, current_period_start = ?, current_period_end = ? where email = ?",
      at("2023-01-31"),
      at("2023-01-31"),
      at("2023-02-28"),
      email,
    );
    const months: string[] = [];
    for (const moment of ["2023-02-28", "2023-03-31", "2023-04-30", "2023-05-31"]) {
      await renewMonths(servicesFor(env), at(moment));
      const { start, end } = await rowOf<{ start: number; end: number }>(
        "select current_period_start as start, current_period_end as end from users where email = ?",
        email,
      );
      months.push(`${new Date(start).toISOString().slice(5, 10)} ${new Date(end).toISOString().slice(5, 10)}`);
    }
    expect(months).toEqual(["02-28 03-31", "03-31 04-30", "04-30 05-31", "05-31 06-30"]);
  });

  it("a cancelled plan ends with its billing month", async () => {
    const person = await signUpManual("ultimate");
    await person.post(`${API}/manual-update`, { planType: "free", atPeriodEnd: true });
    await endMonth(person.email);
    await renewMonths(servicesFor(env), Date.now());
    expect(await planOf(person)).toMatchObject({ planType: "free", hasSubscription: false });
  });

  it("a paid plan's billing month starts with the payment and with each renewal [PRICE-13]", async () => {
    const person = await payer();
    await person.startUpload(1000);
    // Stripe's times are in seconds. Without this the payment could fall into the second of the sign-up.
    await runSql("update users set current_period_start = current_period_start - 1000 where email = ?", person.email);
    const subscription = await person.buy("professional");
    const periodAt = async () => {
      const { subscriptions } = await person.state();
      return (subscriptions[0]?.items.data[0]?.current_period_start ?? 0) * 1000;
    };
    expect(await person.row()).toMatchObject({ bytes: 0, start: await periodAt() });
    await person.startUpload(2000);
    await stripe("live", { subscription, step: "fail" });
    await person.deliverAll();
    expect((await person.row()).bytes).toBe(2000);
    await stripe("live", { subscription, step: "renew" });
    await person.deliverAll();
    expect(await person.row()).toMatchObject({ bytes: 0, start: await periodAt() });
  });

  it("a plan that Stripe ended without a received event ends with its billing month", async () => {
    const person = await payer();
    const subscription = await person.buy("professional");
    await stripe("live", { subscription, step: "delete" });
    await endMonth(person.email);
    await renewMonths(servicesFor(stripeEnv), Date.now());
    expect((await person.row()).plan).toBe("free");
  });
});

describe("cancelling an upload after its billing month has ended", () => {
  it("does not refund the next billing month", async () => {
    const person = await signUpManual();
    const { downloadId } = await person.startUpload(1000);
    await endMonth(person.email);
    await person.startUpload(10);
    expect((await person.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 10, transfers: 1 });
  });
});

describe("leaving a plan that keeps files forever", () => {
  async function expiryOf(downloadId: string): Promise<number | null> {
    const { at } = await rowOf<{ at: number | null }>(
      "select expires_at as at from files where download_id = ?",
      downloadId,
    );
    return at;
  }

  it("files without an expiry get 30 days and their owner one mail; other files keep their expiry", async () => {
    const person = await payer();
    const subscription = await person.buy("ultimate");
    const kept = await sendFile(person, "kept", { expiration: "never" });
    const year = await sendFile(person, "year", { expiration: "1y" });
    const lasting = await expiryOf(year.downloadId);
    await stripe("live", { subscription, step: "delete" });
    const from = Date.now();
    const events = await person.events();
    const once = async () => person.deliverAll();
    await Promise.all([once(), once(), once()]);
    expect(events.length).toBeGreaterThan(2);
    const at = (await expiryOf(kept.downloadId)) ?? 0;
    expect(at).toBeGreaterThanOrEqual(from + 30 * DAY_MS);
    expect(at).toBeLessThanOrEqual(Date.now() + 30 * DAY_MS);
    expect(await expiryOf(year.downloadId)).toBe(lasting);
    expect(await mailsTo(person.email)).toBe(1);
    const { text } = await rowOf<{ text: string }>('select text from mail_outbox where "to" = ?', person.email);
    expect(text).toContain("You are on the Free plan now");
    expect((await new Client().fetch(`/api/files/download/${kept.downloadId}`)).status).toBe(200);
  });

  it("an exact end that only that plan allows is bounded in the same way, an earlier one is not [END-2]", async () => {
    const person = await signUpManual("ultimate");
    const ending = (expiresAt: string) => sendFile(person, "kept", { expiration: undefined, expiresAt });
    const near = new Date(Date.now() + DAY_MS).toISOString();
    const [far, soon, sending] = [
      await ending("2099-01-01T00:00:00Z"),
      await ending(near),
      await person.startUpload(3, { expiration: undefined, expiresAt: "2099-01-01T00:00:00Z" }),
    ];
    const from = Date.now();
    await person.post(`${API}/manual-update`, { planType: "professional" });
    const at = (await expiryOf(far.downloadId)) ?? 0;
    expect(at).toBeGreaterThanOrEqual(from + 30 * DAY_MS);
    expect(at).toBeLessThanOrEqual(Date.now() + 30 * DAY_MS);
    expect(await expiryOf(soon.downloadId)).toBe(Date.parse(near));
    await putIncoming(sending.uploadId, "abc");
    await person.complete(sending.downloadId);
    expect(await expiryOf(sending.downloadId)).toBeLessThanOrEqual(Date.now() + 30 * DAY_MS);
  });

  it("also applies to manual customers and to uploads in progress", async () => {
    const person = await signUpManual("ultimate");
    const { uploadId, downloadId } = await person.startUpload(3, { expiration: "never" });
    await person.post(`${API}/manual-update`, { planType: "professional" });
    await putIncoming(uploadId, "abc");
    const finished = await (await person.complete(downloadId)).json<{ expiresAt: string | null }>();
    expect(Date.parse(finished.expiresAt ?? "")).toBe(await expiryOf(downloadId));
    // There was no finished file to write about when the plan ended.
    expect(await mailsTo(person.email)).toBe(0);
    expect(
      (
        await person.post("/api/direct-upload/presigned-url", {
          filename: "a",
          fileType: "",
          fileSize: 1,
          expiration: "never",
        })
      ).status,
    ).toBe(403);
  });
});

describe("the storage limit of the largest plan", () => {
  it("is 2 TB, also for parallel uploads, and does not count deleted objects [DEC-9]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    expect(limitFor("ultimate").storedBytes).toBe(2 * TIB);
    const { id } = await rowOf<{ id: string }>("select id from users where email = ?", person.email);
    await runSql(
      `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
         created_at, uploaded_at, etag, reserved_period_start, abandon_at)
       select 'stored-' || value, ?, 'a', 'a', ?, 'text/plain', 'stored-' || value, 'stored-' || value, 'uploading', 'never', 0, 0, 'e', 0, 0
       from json_each('[1,2,3,4]')`,
      id,
      TIB / 2 - 25,
    );
    await runSql("update files set status = 'ready' where user_id = ?", id);
    const start = () =>
      person.post("/api/direct-upload/presigned-url", { filename: "a", fileType: "", fileSize: 30, expiration: "1d" });
    const answers = await Promise.all(Array.from({ length: 6 }, start));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403, 403]);
    expect(await answers.find(({ status }) => status === 403)?.json()).toMatchObject({
      planLimitExceeded: true,
      message: "With this file you would exceed the 2 TB that your plan can store. Delete some files first.",
    });
    await runSql("update files set s3_deleted_at = 1 where id = 'stored-1'");
    expect((await start()).status).toBe(200);
  });
});
