import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { letConfirmationRunOut, PASSWORD, signUpInBrowser, Browser } from "../support/browser.ts";
import { SigningIn } from "../support/device.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, rowOf, runSql, stopClockAt } from "../support/worker.ts";

const WEBHOOK = { url: "https://hooks.example.org/mayfly", events: ["transfer.uploaded"] };

/** Every call that asks for a confirmation, and what it answers a confirmed session. */
const GUARDED: Record<string, { status: number; send(browser: Browser): Promise<Response> }> = {
  "changing the address": {
    status: 200,
    send: (browser) => browser.post("/api/auth/change-email", { newEmail: `${crypto.randomUUID()}@example.com` }),
  },
  "making a key": {
    status: 201,
    send: (browser) => browser.post("/api/keys", { name: "A program", scopes: ["upload"] }),
  },
  "setting up an authenticator app": { status: 201, send: (browser) => browser.post("/api/auth/totp", {}) },
  // Without one, a confirmed session is told what is missing.
  "turning an authenticator app on": {
    status: 400,
    send: (browser) => browser.post("/api/auth/totp/enable", { code: "123456" }),
  },
  "removing an authenticator app": {
    status: 404,
    send: (browser) => browser.fetch("/api/auth/totp", { method: "DELETE" }),
  },
  "making recovery codes": { status: 404, send: (browser) => browser.post("/api/auth/recovery-codes", {}) },
  "asking to add a passkey": { status: 200, send: (browser) => browser.post("/api/auth/passkeys/options", {}) },
  "signing a program in": {
    status: 200,
    send: async (browser) => {
      const { userCode } = await SigningIn.begin();
      return browser.post("/api/auth/device/approve", { userCode });
    },
  },
  // A confirmed session is told that there is none.
  "removing a passkey": {
    status: 404,
    send: (browser) => browser.fetch(`/api/auth/passkeys/${crypto.randomUUID()}`, { method: "DELETE" }),
  },
  "connecting a provider": { status: 404, send: (browser) => browser.post("/api/auth/providers/nobody/link", {}) },
  "disconnecting a provider": {
    status: 404,
    send: (browser) => browser.fetch("/api/auth/providers/nobody", { method: "DELETE" }),
  },
  "making a webhook": { status: 201, send: (browser) => browser.post("/api/webhooks", WEBHOOK) },
  "giving a webhook another secret": {
    status: 404,
    send: (browser) => browser.post(`/api/webhooks/${crypto.randomUUID()}/rotate`, {}),
  },
};
const ROWS = Object.entries(GUARDED);

async function confirmedUntil(browser: Browser): Promise<string> {
  const [status, { confirmedUntil: until }] = await answerOf(browser.post("/api/auth/confirm", { password: PASSWORD }));
  expect(status).toBe(200);
  return String(until);
}

describe("what is sensitive", () => {
  it.each(ROWS)(
    "asks for a confirmation ten minutes after the sign-in, not before: %s [AUTH-26]",
    async (_what, row) => {
      const { browser, id } = await signUpInBrowser();
      stopClockAt(Date.now());
      await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now() - 599_999, id);
      expect((await row.send(browser)).status).toBe(row.status);
      await letConfirmationRunOut(id);
      expect(await answerOf(row.send(browser))).toEqual([
        403,
        { code: "CONFIRM_REQUIRED", message: "Please confirm that it is you.", methods: ["password", "mailCode"] },
      ]);
    },
  );

  it.each(ROWS)("goes on after the password was shown again: %s", async (_what, row) => {
    const { browser, id } = await signUpInBrowser();
    await letConfirmationRunOut(id);
    const begin = Date.now();
    const until = Date.parse(await confirmedUntil(browser));
    expect(until).toBeGreaterThanOrEqual(begin + 600_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 600_000);
    expect((await row.send(browser)).status).toBe(row.status);
  });

  it.each(ROWS)("asks sessions from before confirmations were noted: %s [AUTH-26]", async (_what, row) => {
    const { browser, id } = await signUpInBrowser();
    await runSql("update sessions set confirmed_at = null, method = null, device_id = null where user_id = ?", id);
    expect(await browser.isSignedIn()).toBe(true);
    expect(await answerOf(row.send(browser))).toMatchObject([403, { code: "CONFIRM_REQUIRED" }]);
  });

  it("asks before a webhook gets another receiver, but not before it is switched off", async () => {
    const { browser, id } = await signUpInBrowser();
    const [, webhook] = await answerOf(browser.post("/api/webhooks", WEBHOOK));
    await letConfirmationRunOut(id);
    const change = (body: unknown) =>
      answerOf(
        browser.fetch(`/api/webhooks/${String(webhook.id)}`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    expect(await change({ url: "https://thief.example.org/mayfly" })).toMatchObject([
      403,
      { code: "CONFIRM_REQUIRED" },
    ]);
    expect(await change({ enabled: false })).toMatchObject([200, { url: WEBHOOK.url }]);
  });
});

describe("a confirmation", () => {
  it("counts for its own session alone", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const other = new Browser();
    expect((await other.logIn(email)).status).toBe(200);
    await letConfirmationRunOut(id);
    await confirmedUntil(other);
    expect((await browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(403);
    expect((await other.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
  });

  it("by a wrong password changes nothing", async () => {
    const { browser, id } = await signUpInBrowser();
    await letConfirmationRunOut(id);
    const before = await rowOf("select confirmed_at from sessions where user_id = ?", id);
    expect(await answerOf(browser.post("/api/auth/confirm", { password: "not this one" }))).toEqual([
      403,
      { code: "WRONG_PASSWORD", message: "The current password is incorrect." },
    ]);
    expect(await rowOf("select confirmed_at from sessions where user_id = ?", id)).toEqual(before);
  });

  it.each([
    [
      "has a second factor",
      "insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)",
      ["code"],
    ],
    ["has no password", "update accounts set password = null where user_id = ?", ["mailCode"]],
  ])("cannot be made by a password where the account %s", async (_what, change, methods) => {
    const { browser, id } = await signUpInBrowser();
    await letConfirmationRunOut(id);
    await runSql(change, id);
    expect(await answerOf(browser.post("/api/auth/confirm", { password: PASSWORD }))).toMatchObject([
      403,
      { code: "CONFIRM_REQUIRED", methods },
    ]);
  });

  it.each([
    ["confirms the new session of an account without a second factor", false, 201],
    ["does not confirm the new session of an account with a second factor", true, 403],
  ])("by changing the password %s", async (_what, hasFactor, status) => {
    const { browser, id } = await signUpInBrowser();
    await letConfirmationRunOut(id);
    if (hasFactor) {
      await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
    }
    const change = { currentPassword: PASSWORD, newPassword: "another password" };
    expect((await browser.post("/api/auth/change-password", change)).status).toBe(200);
    expect(await browser.isSignedIn()).toBe(true);
    expect((await browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(status);
  });

  it("is asked for, besides the password, before an account with a second factor is deleted [AUTH-26]", async () => {
    const { browser, id } = await signUpInBrowser();
    const { secret } = await setUpFactor(browser);
    await letConfirmationRunOut(id);
    const remove = () =>
      answerOf(
        browser.fetch("/api/auth/account", {
          method: "DELETE",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ password: PASSWORD }),
        }),
      );
    expect(await remove()).toMatchObject([403, { code: "CONFIRM_REQUIRED", methods: ["code"] }]);
    expect(await browser.isSignedIn()).toBe(true);
    expect((await browser.post("/api/auth/confirm", { code: codeAt(secret, 0) })).status).toBe(200);
    expect(await remove()).toMatchObject([202, {}]);
    expect(await browser.isSignedIn()).toBe(false);
  });

  it.each([
    ["no password", {}],
    ["an empty password", { password: "" }],
    ["a password of 129 characters", { password: "x".repeat(129) }],
    ["a number", { password: 5 }],
  ])("with %s is 400", async (_what, body) => {
    const { browser } = await signUpInBrowser();
    expect((await browser.post("/api/auth/confirm", body)).status).toBe(400);
  });

  it("has ten tries in 15 minutes for an account, wherever they come from", async () => {
    const { browser } = await signUpInBrowser();
    const limited = { ...env, RATE_LIMITS: "on" };
    const { cookie } = browser.asClient();
    const guess = async (count: number, password: string) => {
      const caller = clientFrom(`2001:db8:77:${count}::1`, limited, cookie);
      return (await caller.post("/api/auth/confirm", { password })).status;
    };
    for (let count = 1; count <= 10; count += 1) expect(await guess(count, "not this one")).toBe(403);
    expect(await guess(11, PASSWORD)).toBe(429);
  });
});
