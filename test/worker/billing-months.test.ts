import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { DAY_MS, TIB } from "#domain/units.ts";
import { renewMonths } from "#worker/billing/months.ts";
import { servicesFor } from "#worker/services.ts";
import { manual, planOf } from "../support/manual.ts";
import { payer, stripe, stripeEnv } from "../support/stripe.ts";
import { arrive, change, Client, monthOf, putOnPlan, rowOf, sendFile, signUp } from "../support/worker.ts";

const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

const mailsTo = (email: string) =>
  rowOf<{ n: number }>('select count(*) as n from mail_outbox where "to" = ?', email).then(({ n }) => n);

/** Has a person's month end a moment ago. */
async function endMonth(email: string): Promise<void> {
  await change(
    "update users set current_period_end = ?, current_period_start = ? where email = ?",
    Date.now() - 1,
    Date.now() - 30 * DAY_MS,
    email,
  );
}

describe("a billing month", () => {
  it("that has ended begins anew once, however many uploads and reads ask at the same time", async () => {
    const person = await manual("professional");
    await person.startUpload(1000);
    await endMonth(person.email);
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await person.startUpload(10, { filename: `${index}.txt` });
        if (index % 5 === 0) await planOf(person);
        if (index % 10 === 0) await renewMonths(servicesFor(env), Date.now());
      }),
    );
    expect(await monthOf(person.email)).toEqual({ bytes: 500, transfers: 50 });
    const { start, end } = await rowOf<{ start: number; end: number }>(
      "select current_period_start as start, current_period_end as end from users where email = ?",
      person.email,
    );
    expect(start).toBeLessThanOrEqual(Date.now());
    expect(end).toBeGreaterThan(Date.now());
  });

  it("is begun by the read alone, and by the cron alone", async () => {
    const [reader, idler] = [await manual(), await manual()];
    for (const person of [reader, idler]) {
      await person.startUpload(1000);
      await endMonth(person.email);
    }
    expect((await planOf(reader)).usage).toMatchObject({ transferCount: 0, storageUsed: 0 });
    await renewMonths(servicesFor(env), Date.now());
    expect(await monthOf(idler.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("ends on the 31st, on a shorter month's last day, and on the 31st again", async () => {
    const { email } = await manual();
    const at = (date: string) => Date.parse(`${date}T12:00:00Z`);
    await change(
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

  it("takes a plan that was left with it", async () => {
    const person = await manual("ultimate");
    await person.post(`${API}/manual-update`, { planType: "free", atPeriodEnd: true });
    await endMonth(person.email);
    await renewMonths(servicesFor(env), Date.now());
    expect(await planOf(person)).toMatchObject({ planType: "free", hasSubscription: false });
  });

  it("is Stripe's for a paid plan: it begins with the payment and with each renewal", async () => {
    const person = await payer();
    await person.startUpload(1000);
    // Stripe counts in seconds, and nobody pays within the second of signing up.
    await change("update users set current_period_start = current_period_start - 1000 where email = ?", person.email);
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

  it("of a plan that Stripe ended without our hearing of it ends the plan too", async () => {
    const person = await payer();
    const subscription = await person.buy("professional");
    await stripe("live", { subscription, step: "delete" });
    await endMonth(person.email);
    await renewMonths(servicesFor(stripeEnv), Date.now());
    expect((await person.row()).plan).toBe("free");
  });
});

describe("a refund after the month has ended", () => {
  it("gives nothing back to the next one", async () => {
    const person = await manual();
    const { downloadId } = await person.startUpload(1000);
    await endMonth(person.email);
    await person.startUpload(10);
    expect((await person.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    expect(await monthOf(person.email)).toEqual({ bytes: 10, transfers: 1 });
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

  it("gives those files 30 days and tells their owner once; the others live out their time", async () => {
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

  it("holds for a manual customer, and for an upload that was on its way", async () => {
    const person = await manual("ultimate");
    const { uploadId, downloadId } = await person.startUpload(3, { expiration: "never" });
    await person.post(`${API}/manual-update`, { planType: "professional" });
    await arrive(uploadId, "abc");
    const finished = await (await person.complete(downloadId)).json<{ expiresAt: string | null }>();
    expect(Date.parse(finished.expiresAt ?? "")).toBe(await expiryOf(downloadId));
    // It had no file to tell of when the plan was left.
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

describe("what the largest plan stores at one time", () => {
  it("is 2 TB, in parallel too, and what is gone from storage counts no more", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    expect(limitFor("ultimate").storedBytes).toBe(2 * TIB);
    const { id } = await rowOf<{ id: string }>("select id from users where email = ?", person.email);
    await change(
      `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
         created_at, uploaded_at, etag, reserved_period_start, abandon_at)
       select 'stored-' || value, ?, 'a', 'a', ?, 'text/plain', 'stored-' || value, 'stored-' || value, 'ready', 'never', 0, 0, 'e', 0, 0
       from json_each('[1,2,3,4]')`,
      id,
      TIB / 2 - 25,
    );
    const start = () =>
      person.post("/api/direct-upload/presigned-url", { filename: "a", fileType: "", fileSize: 30, expiration: "1d" });
    const answers = await Promise.all(Array.from({ length: 6 }, start));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403, 403]);
    expect(await answers.find(({ status }) => status === 403)?.json()).toMatchObject({
      planLimitExceeded: true,
      message: "Your plan keeps 2 TB at one time, and this file would be more. Delete some files first.",
    });
    await change("update files set s3_deleted_at = 1 where id = 'stored-1'");
    expect((await start()).status).toBe(200);
  });
});
