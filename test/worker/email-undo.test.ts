import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Browser, mailsTo, PASSWORD, signUpInBrowser, tokenIn } from "../support/browser.ts";
import { SigningIn } from "../support/device.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { answerOf, logInAdmin, rowOf, runSql, signUp } from "../support/worker.ts";

const ASKED = "A new email address";
const newAddress = () => `new-${crypto.randomUUID()}@example.com`;
const emailOf = (id: string) => rowOf<{ email: string }>("select email from users where id = ?", id);
const change = (browser: Browser, newEmail: string) => answerOf(browser.post("/api/auth/change-email", { newEmail }));
const undo = (token: string) => answerOf(new Browser().post("/api/auth/change-email/undo", { token }));

async function undoToken(email: string): Promise<string> {
  await expect.poll(() => tokenIn(email, ASKED)).not.toBe("");
  return tokenIn(email, ASKED);
}

describe("a change of the address", () => {
  it("tells the present address before the new one is used, in both languages [AUTH-28]", async () => {
    const person = await signUpInBrowser();
    const newEmail = newAddress();
    await runSql("update users set is_verified = 1 where id = ?", person.id);
    expect(await change(person.browser, newEmail)).toEqual([200, { pending: true }]);
    await undoToken(person.email);
    const [{ subject, text } = { subject: "", text: "" }] = await mailsTo(person.email);
    expect(subject).toBe("A new email address for your Mayfly account / Neue E-Mail-Adresse für dein Mayfly-Konto");
    expect(text).toContain(`asked to change its email address to ${newEmail}.`);
    expect(text).toContain(`möchte dessen E-Mail-Adresse in ${newEmail} ändern.`);
    expect(text).toMatch(/Keep this address:\nhttp\S+\/undo-email\?token=[0-9a-f]{64}\n/);
    expect(await emailOf(person.id)).toEqual({ email: person.email });
  });

  it.each([
    [0, "which would change at once"],
    [1, "whose new one would have to be confirmed"],
  ])("leaves an address (verified: %i) %s, while the mail to it cannot be saved [AUTH-28]", async (isVerified) => {
    const DB = interceptQueries(env.DB, (queries, go) => {
      if (queries.some(({ text }) => text.startsWith('insert into "email_changes"'))) throw new Error("refused");
      return go();
    });
    const person = await signUpInBrowser({ ...env, DB });
    await runSql("update users set is_verified = ? where id = ?", isVerified, person.id);
    const newEmail = newAddress();
    expect((await change(person.browser, newEmail))[0]).toBe(500);
    expect(await emailOf(person.id)).toEqual({ email: person.email });
    expect(await mailsTo(newEmail)).toEqual([]);
  });

  it("says afterwards that the earlier mail brings the address back", async () => {
    const { browser, email } = await signUpInBrowser();
    const newEmail = newAddress();
    expect(await change(browser, newEmail)).toEqual([200, { pending: false }]);
    await expect.poll(async () => (await mailsTo(email)).length).toBe(2);
    const [{ text } = { text: "" }] = (await mailsTo(email)).filter(({ subject }) => subject.includes("was changed"));
    expect(text).toContain(`The email address of your account is ${newEmail} now.`);
    expect(text).toContain("Its button brings your address back for 7 days.");
  });
});

describe("“That was not me”", () => {
  it("takes the account back from a thief who is signed in, step by step [AUTH-29]", async () => {
    const owner = await signUpInBrowser();
    const thief = new Browser();
    await thief.logIn(owner.email);
    const [, { key }] = await answerOf(thief.post("/api/keys", { name: "Mine now", scopes: ["files:read"] }));
    const program = await SigningIn.begin();
    expect((await thief.post("/api/auth/device/approve", { userCode: program.userCode })).status).toBe(200);
    const thiefs = newAddress();
    expect(await change(thief, thiefs)).toEqual([200, { pending: false }]);
    expect((await owner.browser.logIn(owner.email)).status).toBe(401);
    await new Browser().post("/api/auth/reset-password", { email: thiefs });
    await expect.poll(() => tokenIn(thiefs, "Set a new password")).not.toBe("");
    const thiefsReset = await tokenIn(thiefs, "Set a new password");

    const token = await undoToken(owner.email);
    expect(await undo(token)).toEqual([200, { email: owner.email }]);

    expect(await emailOf(owner.id)).toEqual({ email: owner.email });
    expect(await thief.isSignedIn()).toBe(false);
    expect((await thief.logIn(owner.email)).status).toBe(401);
    expect((await thief.logIn(thiefs)).status).toBe(401);
    const withKey = await thief.fetch("/api/v1/transfers", { headers: { authorization: `Bearer ${String(key)}` } });
    expect(withKey.status).toBe(401);
    expect(await answerOf(program.poll())).toMatchObject([400, { code: "EXPIRED_TOKEN" }]);
    const taken = thief.post("/api/auth/reset-password", { newPassword: "a thief's password", token: thiefsReset });
    expect(await answerOf(taken)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await rowOf("select count(*) as n from devices where user_id = ?", owner.id)).toEqual({ n: 0 });

    await expect.poll(() => tokenIn(owner.email, "Set a new password")).not.toBe("");
    const reset = { newPassword: "my own password", token: await tokenIn(owner.email, "Set a new password") };
    expect((await owner.browser.post("/api/auth/reset-password", reset)).status).toBe(200);
    expect((await owner.browser.logIn(owner.email, "my own password")).status).toBe(200);
    expect(await undo(token)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });

  it("wins over the thief's own undo of a second change [AUTH-29]", async () => {
    const owner = await signUpInBrowser();
    const [first, second] = [newAddress(), newAddress()];
    await change(owner.browser, first);
    await change(owner.browser, second);
    const [owners, thiefs] = [await undoToken(owner.email), await undoToken(first)];
    expect(await undo(owners)).toEqual([200, { email: owner.email }]);
    expect(await undo(thiefs)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await emailOf(owner.id)).toEqual({ email: owner.email });
  });

  it("still works after the thief has undone a second change", async () => {
    const owner = await signUpInBrowser();
    const [first, second] = [newAddress(), newAddress()];
    await change(owner.browser, first);
    await change(owner.browser, second);
    const [owners, thiefs] = [await undoToken(owner.email), await undoToken(first)];
    expect(await undo(thiefs)).toEqual([200, { email: first }]);
    expect(await undo(owners)).toEqual([200, { email: owner.email }]);
  });

  it("ends a change that waits to be confirmed", async () => {
    const owner = await signUpInBrowser();
    await runSql("update users set is_verified = 1 where id = ?", owner.id);
    const thiefs = newAddress();
    expect(await change(owner.browser, thiefs)).toEqual([200, { pending: true }]);
    await expect.poll(() => tokenIn(thiefs, "Confirm your email address")).not.toBe("");
    expect(await undo(await undoToken(owner.email))).toEqual([200, { email: owner.email }]);
    const confirmation = await tokenIn(thiefs, "Confirm your email address");
    const opened = new Browser().fetch(`/api/auth/verify-email?token=${confirmation}`);
    expect(await answerOf(opened)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await emailOf(owner.id)).toEqual({ email: owner.email });
  });

  it("works for seven days after the new address was first used, and no longer [AUTH-29]", async () => {
    const owner = await signUpInBrowser();
    await runSql("update users set is_verified = 1 where id = ?", owner.id);
    const newEmail = newAddress();
    await change(owner.browser, newEmail);
    // The mail went out almost seven days ago.
    await runSql("update email_changes set expires_at = ? where user_id = ?", Date.now() + 1000, owner.id);
    await expect.poll(() => tokenIn(newEmail, "Confirm your email address")).not.toBe("");
    const confirmation = await tokenIn(newEmail, "Confirm your email address");
    expect((await new Browser().fetch(`/api/auth/verify-email?token=${confirmation}`)).status).toBe(200);
    const { at } = await rowOf<{ at: number }>(
      "select expires_at as at from email_changes where user_id = ?",
      owner.id,
    );
    expect(Math.round((at - Date.now()) / 86_400_000)).toBe(7);
    await runSql("update email_changes set expires_at = ? where user_id = ?", Date.now() - 1, owner.id);
    expect(await undo(await undoToken(owner.email))).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await emailOf(owner.id)).toEqual({ email: newEmail });
  });

  it("works once, also for two clicks at the same time", async () => {
    const owner = await signUpInBrowser();
    await change(owner.browser, newAddress());
    const token = await undoToken(owner.email);
    const answers = await Promise.all([undo(token), undo(token)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 400]);
  });

  it("removes passkeys and providers; a second factor only if it is newer than the change", async () => {
    const insertPasskey = `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
      values (?, ?, ?, '', -7, '[]', '', 'a key', 0)`;
    const insertProvider =
      "insert into accounts (id, user_id, account_id, provider_id, created_at, updated_at) values (?, ?, ?, 'google', 0, 0)";
    const left = async (factorSince: number) => {
      const owner = await signUpInBrowser();
      await runSql(insertPasskey, crypto.randomUUID(), owner.id, crypto.randomUUID());
      await runSql(insertProvider, crypto.randomUUID(), owner.id, crypto.randomUUID());
      await runSql(
        "insert into recovery_codes (id, user_id, code_hash) values (?, ?, 'a')",
        crypto.randomUUID(),
        owner.id,
      );
      await change(owner.browser, newAddress());
      await runSql(
        "insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', ?)",
        owner.id,
        factorSince,
      );
      await undo(await undoToken(owner.email));
      return rowOf(
        `select (select count(*) from passkeys where user_id = ?1) as passkeys,
           (select count(*) from accounts where user_id = ?1) as accounts,
           (select count(*) from second_factors where user_id = ?1) as factors,
           (select count(*) from recovery_codes where user_id = ?1) as codes`,
        owner.id,
      );
    };
    expect(await left(1)).toEqual({ passkeys: 0, accounts: 1, factors: 1, codes: 1 });
    expect(await left(Date.now() + 60_000)).toEqual({ passkeys: 0, accounts: 1, factors: 0, codes: 0 });
  });

  it.each([
    ["this link", "change-email/undo", ASKED],
    ["“This was not me”", "not-me", "new device"],
  ])(
    "switches every webhook off, and drops what it would still send: by %s [AUTH-29]",
    async (_link, path, subject) => {
      const owner = await signUpInBrowser();
      const thief = new Browser();
      await thief.logIn(owner.email);
      const webhook = { url: "https://hooks.example.org/thief", events: ["transfer.uploaded"] };
      const [made, { id }] = await answerOf(thief.post("/api/webhooks", webhook));
      expect(made).toBe(201);
      const row = `insert into webhook_deliveries
      (id, webhook_id, event_id, type, payload, state, next_attempt_at, created_at)
      values (?, ?, ?, 'transfer.uploaded', '{}', 'waiting', 0, 0)`;
      await runSql(row, crypto.randomUUID(), String(id), crypto.randomUUID());
      await change(thief, newAddress());
      await expect.poll(() => tokenIn(owner.email, subject)).not.toBe("");
      const pressed = new Browser().post(`/api/auth/${path}`, { token: await tokenIn(owner.email, subject) });
      expect((await pressed).status).toBe(200);
      const states = `select webhooks.disabled_at is null as isOn, webhook_deliveries.state as state
      from webhooks join webhook_deliveries on webhook_id = webhooks.id where user_id = ?`;
      expect(await rowOf(states, owner.id)).toEqual({ isOn: 0, state: "failed" });
    },
  );

  it("does nothing to an account that is being deleted", async () => {
    const owner = await signUpInBrowser();
    await change(owner.browser, newAddress());
    const token = await undoToken(owner.email);
    expect((await owner.browser.fetch("/api/auth/account", deletion)).status).toBe(202);
    expect(await undo(token)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });

  const deletion = {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  };

  it("brings nothing back after an administrator gave the account its address", async () => {
    const owner = await signUpInBrowser();
    const [thiefs, given] = [newAddress(), newAddress()];
    await change(owner.browser, thiefs);
    const token = await undoToken(owner.email);
    const admin = await logInAdmin();
    expect((await admin.put(`/api/admin/user/email/${owner.id}`, { email: given })).status).toBe(200);
    expect(await undo(token)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await emailOf(owner.id)).toEqual({ email: given });
  });
});

describe("an address that may come back", () => {
  it("is taken for everybody else: for a registration and for a change", async () => {
    const owner = await signUpInBrowser();
    await change(owner.browser, newAddress());
    const registration = new Browser().post("/api/auth/register", { email: owner.email, password: PASSWORD });
    expect(await answerOf(registration)).toMatchObject([409, { code: "EMAIL_TAKEN" }]);
    const other = await signUpInBrowser();
    expect(await change(other.browser, owner.email)).toEqual([200, { pending: true }]);
    expect(await emailOf(other.id)).toEqual({ email: other.email });
    await runSql("update users set is_verified = 1 where id = ?", other.id);
    expect(await change(other.browser, owner.email)).toEqual([200, { pending: true }]);
    await expect.poll(() => tokenIn(owner.email, "Confirm your email address")).not.toBe("");
    const confirmation = await tokenIn(owner.email, "Confirm your email address");
    const opened = new Browser().fetch(`/api/auth/verify-email?token=${confirmation}`);
    expect(await answerOf(opened)).toMatchObject([409, { code: "EMAIL_TAKEN" }]);
    expect(await emailOf(other.id)).toEqual({ email: other.email });
  });

  it.each([
    [
      "a registration",
      (browser: Browser, email: string) => browser.post("/api/auth/register", { email, password: PASSWORD }),
    ],
    [
      "a link by mail",
      async (browser: Browser, email: string) => {
        await browser.post("/api/auth/mail-link", { email });
        const sent = async () => (await mailsTo(email)).map(({ text }) => /sign-in-link#(\S+)/.exec(text)?.[1]).at(0);
        await expect.poll(sent).toBeDefined();
        return browser.post("/api/auth/mail-link/use", { token: await sent() });
      },
    ],
  ])("is taken also when its owner leaves it during %s", async (_what, enter) => {
    const [owner, email] = [await signUp(), newAddress()];
    let isLeft = false;
    const DB = interceptQueries(env.DB, async (queries, go) => {
      if (!isLeft && queries.some(({ text }) => text.startsWith('insert into "users"'))) {
        isLeft = true;
        const leave = `insert into email_changes (id, user_id, former, token_hash, created_at, expires_at)
          values (?, ?, ?, ?, ?, ?)`;
        const [id, hash, now] = [crypto.randomUUID(), crypto.randomUUID(), Date.now()];
        await runSql(leave, id, owner.id, email, hash, now, now + 60_000);
      }
      return go();
    });
    const stranger = new Browser({ ...env, DB });
    expect(await answerOf(enter(stranger, email))).toMatchObject([409, { code: "EMAIL_TAKEN" }]);
    expect(isLeft).toBe(true);
    expect(await rowOf("select count(*) as n from users where email = ?", email)).toEqual({ n: 0 });
    expect(await stranger.isSignedIn()).toBe(false);
  });

  it("is free for its own account, and for everybody after seven days", async () => {
    const owner = await signUpInBrowser();
    await change(owner.browser, newAddress());
    expect(await change(owner.browser, owner.email)).toEqual([200, { pending: false }]);
    const second = await signUpInBrowser();
    await change(second.browser, newAddress());
    await runSql("update email_changes set expires_at = ? where user_id = ?", Date.now() - 1, second.id);
    const registration = new Browser().post("/api/auth/register", { email: second.email, password: PASSWORD });
    expect((await registration).status).toBe(201);
  });

  it("that another account has all the same stays there", async () => {
    const owner = await signUpInBrowser();
    const newEmail = newAddress();
    await change(owner.browser, newEmail);
    const token = await undoToken(owner.email);
    const other = await signUp();
    await runSql("update users set email = ? where id = ?", owner.email, other.id);
    expect(await undo(token)).toMatchObject([409, { code: "EMAIL_TAKEN" }]);
    expect(await emailOf(owner.id)).toEqual({ email: newEmail });
    expect(await owner.browser.isSignedIn()).toBe(true);
  });
});
