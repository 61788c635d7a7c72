import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { applyRetention } from "#worker/sweep/retention.ts";
import { servicesFor } from "#worker/services.ts";
import { Browser, mailsTo, PASSWORD, signUpInBrowser, tokenIn } from "../support/browser.ts";
import { SigningIn } from "../support/device.ts";
import { queuedMailsSent } from "../support/mails.ts";
import { addWebhook } from "../support/webhooks.ts";
import { setUpFactor } from "../support/second-factor.ts";
import { answerOf, logInAdmin, rowOf, runSql } from "../support/worker.ts";

const NEW_DEVICE = "A new device signed in to your Mayfly account / Neues Gerät in deinem Mayfly-Konto";

interface Device {
  id: string;
  userAgent: string;
  address: string;
  isCurrent: boolean;
  trustedUntil: string | null;
}

async function devicesOf(browser: Browser): Promise<Device[]> {
  return (await browser.fetch("/api/auth/devices")).json();
}

async function eventsOf(browser: Browser): Promise<string[]> {
  const events = await (await browser.fetch("/api/auth/events")).json<{ kind: string }[]>();
  return events.map(({ kind }) => kind);
}

const count = (table: string, userId: string) =>
  rowOf<{ n: number }>(`select count(*) as n from ${table} where user_id = ?`, userId).then(({ n }) => n);

describe("a device", () => {
  it("is named by a cookie of 256 bits for a year, of which only the digest is kept", async () => {
    const browser = new Browser();
    const email = `${crypto.randomUUID()}@example.com`;
    const response = await browser.post("/api/auth/register", { email, password: PASSWORD });
    const cookie = response.headers.getSetCookie().find((candidate) => candidate.startsWith("mayfly.device="));
    expect(cookie).toMatch(/^mayfly\.device=[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const dump = JSON.stringify((await env.DB.prepare("select * from devices").all()).results);
    expect(dump).not.toContain(browser.cookie("mayfly.device"));
  });

  it("has a cookie of this host alone over HTTPS", async () => {
    const secure = new Browser({ ...env, APP_ORIGIN: "https://files.example.com" });
    const email = `${crypto.randomUUID()}@example.com`;
    await secure.fetch("https://files.example.com/api/auth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect([...secure.cookies.keys()]).toContain("__Host-mayfly.device");
  });

  it("stays the same for the next sign-in, and a browser has one for each account", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const first = browser.cookie("mayfly.device");
    expect((await browser.logIn(email)).status).toBe(200);
    expect(browser.cookie("mayfly.device")).toBe(first);
    expect(await count("devices", id)).toBe(1);
    const other = await signUpInBrowser();
    expect((await browser.logIn(other.email)).status).toBe(200);
    expect(browser.cookie("mayfly.device")).toBe(first);
    expect([await count("devices", id), await count("devices", other.id)]).toEqual([1, 2]);
  });

  it("with a cookie that is none of ours gets a new one", async () => {
    const { browser, email } = await signUpInBrowser();
    browser.cookies.set("mayfly.device", "x".repeat(64));
    await browser.logIn(email);
    expect(browser.cookie("mayfly.device")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is listed with its browser and shortened address, the current one first [AUTH-31]", async () => {
    const { browser, email } = await signUpInBrowser();
    const other = new Browser();
    await other.logIn(email);
    const devices = await devicesOf(browser);
    expect(devices).toMatchObject([
      { isCurrent: true, address: "203.0.113.0/24", trustedUntil: null },
      { isCurrent: false, address: "203.0.113.0/24", trustedUntil: null },
    ]);
    expect(devices[0]?.userAgent).toContain("Firefox/130.0");
    const sessions = await (await browser.fetch("/api/auth/sessions")).json<{ deviceId: string }[]>();
    expect(sessions.map(({ deviceId }) => deviceId)).toEqual(devices.map(({ id }) => id));
  });

  it("that is removed loses its sessions, and is a new one when it comes back [AUTH-31]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const other = new Browser();
    await other.logIn(email);
    const [, away] = await devicesOf(browser);
    const remove = () => browser.fetch(`/api/auth/devices/${away?.id ?? ""}`, { method: "DELETE" });
    expect((await remove()).status).toBe(200);
    expect([await other.isSignedIn(), await browser.isSignedIn()]).toEqual([false, true]);
    expect(await answerOf(remove())).toMatchObject([404, { message: "This device is no longer in your list." }]);
    await queuedMailsSent();
    await runSql('delete from local_mailbox where "to" = ?', email);
    await other.logIn(email);
    await expect.poll(async () => (await mailsTo(email)).map(({ subject }) => subject)).toEqual([NEW_DEVICE]);
    expect(await eventsOf(browser)).toEqual([
      "sign-in.new-device",
      "device.removed",
      "sign-in.new-device",
      "sign-in.new-device",
    ]);
    expect(await count("sessions", id)).toBe(2);
  });

  it("and the events of an account are forgotten: a device after a year, an event after 180 days", async () => {
    const { id } = await signUpInBrowser();
    const day = 86_400_000;
    const at = (table: string, column: string, days: number) =>
      runSql(`update ${table} set ${column} = ? where user_id = ?`, Date.now() - days * day, id);
    await at("devices", "last_seen_at", 364);
    await at("account_events", "at", 179);
    await applyRetention(servicesFor(env), Date.now());
    expect([await count("devices", id), await count("account_events", id)]).toEqual([1, 1]);
    await at("devices", "last_seen_at", 366);
    await at("account_events", "at", 181);
    await applyRetention(servicesFor(env), Date.now());
    expect([await count("devices", id), await count("account_events", id)]).toEqual([0, 0]);
  });
});

describe("the mail about a new device", () => {
  it("says in both languages when, in which browser and where from [AUTH-30]", async () => {
    const { email } = await signUpInBrowser();
    await new Browser().logIn(email, PASSWORD, { cf: { country: "PT" } });
    await expect.poll(async () => (await mailsTo(email)).length).toBe(1);
    const [{ subject, text } = { subject: "", text: "" }] = await mailsTo(email);
    expect(subject).toBe(NEW_DEVICE);
    expect(text).toContain("- Browser: Firefox, Linux\n- Where from: Portugal, 203.0.113.0/24");
    expect(text).toContain("- Browser: Firefox, Linux\n- Woher: Portugal, 203.0.113.0/24");
    expect(text).toMatch(/- When: .+ \(UTC\)\n/);
    expect(text).toMatch(/This was not me:\nhttp\S+\/not-me\?token=[0-9a-f]{64}\n/);
    expect(text).toMatch(/Das war ich nicht:\nhttp\S+\/not-me\?token=[0-9a-f]{64}\n/);
    expect(text).not.toContain("203.0.113.77");
  });

  it("is not sent for a known device, a refused sign-in, or an account that is younger than a day", async () => {
    const { browser, id, email } = await signUpInBrowser();
    await browser.logIn(email);
    await new Browser().logIn(email, "a wrong password");
    await runSql("update users set created_at = ? where id = ?", Date.now() - 86_000_000, id);
    await new Browser().logIn(email);
    expect(await mailsTo(email)).toEqual([]);
    await runSql("update users set created_at = ? where id = ?", Date.now() - 86_400_000, id);
    await new Browser().logIn(email);
    await expect.poll(async () => (await mailsTo(email)).length).toBe(1);
  });
});

describe("signing out everywhere", () => {
  it.each([
    [false, 200, 200],
    [true, 401, 400],
  ])(
    "ends all sessions, steps and trust; with keysToo %s also webhooks, and a key then gets %i [AUTH-32, HOOK-11]",
    async (keysToo, status, asking) => {
      const { browser, id, email } = await signUpInBrowser();
      await runSql("update users set is_admin = 1 where id = ?", id);
      const admin = await logInAdmin(email, PASSWORD);
      const other = new Browser();
      await other.logIn(email);
      const [, { key }] = await answerOf(browser.post("/api/keys", { name: "A program", scopes: ["upload"] }));
      const { id: webhook } = await addWebhook(browser.asClient(), "https://hooks.example.org/mine");
      const program = await SigningIn.begin();
      await browser.post("/api/auth/device/approve", { userCode: program.userCode });
      await runSql("update devices set trusted_until = ? where user_id = ?", Date.now() + 60_000, id);
      await runSql(
        "insert into steps (token_hash, kind, user_id, expires_at) values (?, 'second-factor', ?, ?)",
        crypto.randomUUID(),
        id,
        Date.now() + 60_000,
      );
      expect((await browser.post("/api/auth/sign-out-everywhere", { keysToo })).status).toBe(200);
      expect([await browser.isSignedIn(), await other.isSignedIn()]).toEqual([false, false]);
      expect((await admin.fetch("/api/admin/users")).status).toBe(403);
      expect(await rowOf("select count(*) as n from steps where user_id = ? and kind = 'second-factor'", id)).toEqual({
        n: 0,
      });
      expect(await rowOf("select count(trusted_until) as n from devices where user_id = ?", id)).toEqual({ n: 0 });
      const me = await browser.fetch("/api/v1/me", { headers: { authorization: `Bearer ${String(key)}` } });
      expect(me.status).toBe(status);
      expect((await program.poll()).status).toBe(asking);
      const disabled = "select count(*) as n from webhooks where id = ? and disabled_at is not null";
      expect(await rowOf(disabled, webhook)).toEqual({ n: keysToo ? 1 : 0 });
      await browser.logIn(email);
      expect((await eventsOf(browser)).slice(0, 2)).toEqual(["sign-in", "sign-out-everywhere"]);
    },
  );

  it("is not needed after a new password: it ends the trust in devices too", async () => {
    const { browser, id } = await signUpInBrowser();
    await runSql("update devices set trusted_until = ? where user_id = ?", Date.now() + 60_000, id);
    const body = { currentPassword: PASSWORD, newPassword: "another password" };
    expect((await browser.post("/api/auth/change-password", body)).status).toBe(200);
    expect(await rowOf("select count(trusted_until) as n from devices where user_id = ?", id)).toEqual({ n: 0 });
    expect(await eventsOf(browser)).toEqual(["password.changed", "sign-in.new-device"]);
  });
});

describe("“This was not me”", () => {
  it("ends everything, once, and mails a link to set another password [AUTH-30]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const [, { key }] = await answerOf(browser.post("/api/keys", { name: "A program", scopes: ["upload"] }));
    const stranger = new Browser();
    await stranger.logIn(email);
    await runSql("update users set is_admin = 1, is_verified = 1 where id = ?", id);
    const admin = await logInAdmin(email, PASSWORD);
    await expect.poll(() => tokenIn(email, "new device")).not.toBe("");
    const token = await tokenIn(email, "new device");

    const press = () => new Browser().post("/api/auth/not-me", { token });
    const answers = await Promise.all([press(), press()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await browser.isSignedIn(), await stranger.isSignedIn()]).toEqual([false, false]);
    expect((await stranger.logIn(email)).status).toBe(401);
    expect((await admin.fetch("/api/admin/users")).status).toBe(403);
    const me = await browser.fetch("/api/v1/me", { headers: { authorization: `Bearer ${String(key)}` } });
    expect(me.status).toBe(401);
    expect([await count("devices", id), await count("steps", id)]).toEqual([0, 0]);

    await expect.poll(() => tokenIn(email, "Set a new password")).not.toBe("");
    const reset = { newPassword: "my own password", token: await tokenIn(email, "Set a new password") };
    expect((await browser.post("/api/auth/reset-password", reset)).status).toBe(200);
    expect((await browser.logIn(email, "my own password")).status).toBe(200);
    expect((await eventsOf(browser)).slice(0, 3)).toEqual(["sign-in.new-device", "password.changed", "locked"]);
  });

  it("ends a change of the address that waits to be confirmed", async () => {
    const { id, email } = await signUpInBrowser();
    await runSql("update users set is_verified = 1 where id = ?", id);
    const stranger = new Browser();
    await stranger.logIn(email);
    const newEmail = `stranger-${crypto.randomUUID()}@example.com`;
    expect((await stranger.post("/api/auth/change-email", { newEmail })).status).toBe(200);
    await expect.poll(() => tokenIn(newEmail, "Confirm your email address")).not.toBe("");
    const confirmation = await tokenIn(newEmail, "Confirm your email address");
    const token = await tokenIn(email, "new device");
    expect((await new Browser().post("/api/auth/not-me", { token })).status).toBe(200);
    const opened = new Browser().fetch(`/api/auth/verify-email?token=${confirmation}`);
    expect(await answerOf(opened)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });

  it("brings back the address that a thief has changed and confirmed, and mails the reset there [AUTH-30]", async () => {
    const { id, email } = await signUpInBrowser();
    await runSql("update users set is_verified = 1 where id = ?", id);
    const thief = new Browser();
    await thief.logIn(email);
    await expect.poll(() => tokenIn(email, "new device")).not.toBe("");
    const [first, second] = [`first-${crypto.randomUUID()}@example.com`, `second-${crypto.randomUUID()}@example.com`];
    for (const newEmail of [first, second]) {
      expect((await thief.post("/api/auth/change-email", { newEmail })).status).toBe(200);
      await expect.poll(() => tokenIn(newEmail, "Confirm your email address")).not.toBe("");
      const confirmation = await tokenIn(newEmail, "Confirm your email address");
      expect((await thief.fetch(`/api/auth/verify-email?token=${confirmation}`)).status).toBe(200);
    }
    expect(await rowOf("select email from users where id = ?", id)).toEqual({ email: second });

    const token = await tokenIn(email, "new device");
    expect((await new Browser().post("/api/auth/not-me", { token })).status).toBe(200);
    expect(await rowOf("select email, is_verified from users where id = ?", id)).toEqual({ email, is_verified: 1 });
    await expect.poll(() => tokenIn(email, "Set a new password")).not.toBe("");
    expect([await tokenIn(first, "Set a new password"), await tokenIn(second, "Set a new password")]).toEqual(["", ""]);
    const undo = { token: await tokenIn(first, "A new email address") };
    expect((await thief.post("/api/auth/change-email/undo", undo)).status).toBe(400);
  });

  it("ends with a new address that an administrator sets: the mail went to the former one", async () => {
    const { id, email } = await signUpInBrowser();
    await new Browser().logIn(email);
    await expect.poll(() => tokenIn(email, "new device")).not.toBe("");
    const given = `given-${crypto.randomUUID()}@example.com`;
    const admin = await logInAdmin();
    expect((await admin.put(`/api/admin/user/email/${id}`, { email: given })).status).toBe(200);
    const pressed = new Browser().post("/api/auth/not-me", { token: await tokenIn(email, "new device") });
    expect(await answerOf(pressed)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await rowOf("select email from users where id = ?", id)).toEqual({ email: given });
  });

  it("leaves an app that was set up on a device from before the sign-in, and removes one from the new device [AUTH-30]", async () => {
    const factorsAfter = async (isOnNewDevice: boolean) => {
      const { browser, id, email } = await signUpInBrowser();
      const laptop = new Browser();
      await laptop.logIn(email);
      await setUpFactor(isOnNewDevice ? laptop : browser);
      await expect.poll(() => tokenIn(email, "new device")).not.toBe("");
      const token = await tokenIn(email, "new device");
      expect((await new Browser().post("/api/auth/not-me", { token })).status).toBe(200);
      return [await count("second_factors", id), await count("recovery_codes", id)];
    };
    expect([await factorsAfter(false), await factorsAfter(true)]).toEqual([
      [1, 10],
      [0, 0],
    ]);
  });

  it("works for seven days", async () => {
    const { id, email } = await signUpInBrowser();
    await new Browser().logIn(email);
    await expect.poll(() => tokenIn(email, "new device")).not.toBe("");
    const { expires_at: expiresAt } = await rowOf<{ expires_at: number }>(
      "select expires_at from steps where user_id = ?",
      id,
    );
    expect(Math.round((expiresAt - Date.now()) / 86_400_000)).toBe(7);
    await runSql("update steps set expires_at = ? where user_id = ?", Date.now() - 1, id);
    const late = new Browser().post("/api/auth/not-me", { token: await tokenIn(email, "new device") });
    expect(await answerOf(late)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });
});
